package term_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// meanings says what every construct means, in the corners too. A program is
// the body of a definition of the given type. Those that are not marked float
// mean the same over exact rationals.
var meanings = []struct {
	why   string
	typ   string
	body  string
	want  string
	float bool // not a rational computation
}{
	// index
	{why: "index reads an element", typ: "R", body: "[1.0, 2, 3][1]", want: "2"},
	{why: "index past the end is 0", typ: "R", body: "index [1.0, 2, 3] [3]", want: "0"},
	{why: "index before the start is 0", typ: "R", body: "index [1.0, 2, 3] [-1]", want: "0"},
	{why: "index far out does not wrap", typ: "R", body: "index [1.0, 2, 3] [-9223372036854775808] + index [1.0, 2, 3] [9223372036854775807]", want: "0"},
	{why: "index of integers out of range is 0", typ: "I", body: "index [7, 8] [2]", want: "0"},
	{why: "index of truth values out of range is false", typ: "B", body: "index [true, true] [2]", want: "false"},
	{why: "a partial index is a row", typ: "R[2]", body: "[[1.0, 2], [3, 4]][1]", want: "[3, 4]"},
	{why: "a partial index out of range is a row of zeros", typ: "R[2]", body: "index [[1.0, 2], [3, 4]] [2]", want: "[0, 0]"},
	{why: "one component out of range is enough", typ: "R", body: "index [[1.0, 2], [3, 4]] [0, 2]", want: "0"},
	{why: "components do not carry over: [0, 2] is not [1, 0]", typ: "R", body: "index [[1.0, 2], [3, 4]] [1, -1]", want: "0"},
	{why: "an index of no components is the array", typ: "R[2]", body: "index [1.0, 2] []", want: "[1, 2]"},

	// slices
	{why: "a slice", typ: "R[2]", body: "[1.0, 2, 3][1:3]", want: "[2, 3]"},
	{why: "a slice from the front", typ: "R[2]", body: "[1.0, 2, 3][:2]", want: "[1, 2]"},
	{why: "a slice to the end", typ: "R[1]", body: "[1.0, 2, 3][2:]", want: "[3]"},
	{why: "a whole axis", typ: "R[2, 2]", body: "[[1.0, 2], [3, 4]][:, :]", want: "[[1, 2], [3, 4]]"},
	{why: "a column", typ: "R[2]", body: "[[1.0, 2], [3, 4]][:, 1]", want: "[2, 4]"},
	{why: "a row", typ: "R[2]", body: "[[1.0, 2], [3, 4]][1, :]", want: "[3, 4]"},
	{why: "a block", typ: "R[1, 2]", body: "[[1.0, 2, 3], [4, 5, 6]][1:2, 1:]", want: "[[5, 6]]"},
	{why: "a slice of nothing", typ: "R[0]", body: "[1.0, 2, 3][1:1]", want: "[]"},
	{why: "a slice that moves", typ: "R[2, 2]", body: `build 2 (\i -> [1.0, 2, 3][i:i + 2])`, want: "[[1, 2], [2, 3]]"},
	{why: "a slice in front of an index of an axis between", typ: "R[2, 1]", body: "(reshape [2, 2, 1] [1.0, 2, 3, 4])[:, 1]", want: "[[2], [4]]"},
	{why: "a slice of a tuple of arrays", typ: "(R[1], I[1])", body: "let p = ([1.0, 2], [3, 4]) in p[1:]", want: "([2], [4])"},
	{why: "a size that let binds", typ: "R[1]", body: "let h = 3 div 2 in replicate h 2.0", want: "[2]"},
	{why: "the smaller size", typ: "R[2]", body: "replicate (min 2 3) 1.0", want: "[1, 1]"},
	{why: "the larger size, rounded down", typ: "R[2]", body: "replicate (max (5 div 2) 1) 1.0", want: "[1, 1]"},

	// gather
	{why: "gather reads at each index", typ: "R[3]", body: `gather [3] [1.0, 2, 3] (\[i] -> [2 - i])`, want: "[3, 2, 1]"},
	{why: "gather out of range reads 0", typ: "R[4]", body: `gather [4] [1.0, 2] (\[i] -> [i - 1])`, want: "[0, 1, 2, 0]"},
	{why: "gather of rows out of range reads rows of 0", typ: "R[3, 2]", body: `gather [3] [[1.0, 2], [3, 4]] (\[i] -> [i])`, want: "[[1, 2], [3, 4], [0, 0]]"},
	{why: "gather over two axes", typ: "I[2, 2]", body: `gather [2, 2] [[1, 2], [3, 4]] (\[i, j] -> [j, i])`, want: "[[1, 3], [2, 4]]"},
	{why: "gather over no axis is index", typ: "R[2]", body: `gather [] [[1.0, 2], [3, 4]] (\[] -> [1])`, want: "[3, 4]"},
	{why: "gather with no indices repeats the array", typ: "R[2, 2]", body: `gather [2] [5.0, 6] (\[i] -> [])`, want: "[[5, 6], [5, 6]]"},
	{why: "gather of truth values out of range reads false", typ: "B[2]", body: `gather [2] [true] (\[i] -> [i])`, want: "[true, false]"},
	{why: "the array of a gather is outside its binders", typ: "R[2, 2]", body: `build 2 (\i -> gather [2] [real i, 10] (\[i] -> [i]))`, want: "[[0, 10], [1, 10]]"},

	// functions
	{why: "a general function is applied to rows", typ: "R[2]", body: "map sum [[1.0, 2], [3, 4]]", want: "[3, 7]"},
	{why: "map nests by partial application", typ: "R[1, 2]", body: `map (map (\x -> x + 1)) [[1.0, 2]]`, want: "[[2, 3]]"},
	{why: "map makes rows", typ: "R[2, 2]", body: `map (\x -> [x, 2 * x]) [1.0, 2]`, want: "[[1, 2], [2, 4]]"},
	{why: "map of nothing", typ: "R[0]", body: `map (\x -> x + 1) (replicate 0 1.0)`, want: "[]"},
	{why: "map makes a tuple of arrays", typ: "(R[2], I[2])", body: `map (\x -> (x + 1, floor x)) [1.5, 2]`, want: "([2.5, 3], [1, 2])"},
	{why: "map goes along tuples of arrays", typ: "R[2]", body: `map (\(x, k) -> x + real k) ([1.5, 2], [1, 2])`, want: "[2.5, 4]"},
	{why: "zip of three", typ: "R[2]", body: `zip (\x y z -> x * y + z) [1.0, 2] [3, 4] [5, 6]`, want: "[8, 14]"},
	{why: "zip of rows and elements", typ: "R[2, 1]", body: `zip (\r x -> [x * sum r]) [[1.0, 2], [3, 4]] [1, 10]`, want: "[[3], [70]]"},
	{why: "pipe goes from the left", typ: "R", body: `pipe [\x -> x + 1, \x -> x * x] 2.0`, want: "9"},
	{why: "pipe of no stage but one", typ: "R", body: `pipe [sum] [1.0, 2]`, want: "3"},
	{why: "concat of three, of integers", typ: "I[4]", body: `concat [1] [2, 3] [4]`, want: "[1, 2, 3, 4]"},
	{why: "concat of rows", typ: "R[3, 1]", body: `concat [[1.0]] [[2], [3]]`, want: "[[1], [2], [3]]"},
	{why: "concat with nothing", typ: "R[1]", body: `concat (replicate 0 1.0) [2] (replicate 0 1.0)`, want: "[2]"},
	{why: "concat of truth values", typ: "B[2]", body: `concat [true] [false]`, want: "[true, false]"},
	{why: "concat of tuples is one of each component", typ: "(R[2], I[2])", body: `concat ([1.0], [2]) ([3], [4])`, want: "([1, 3], [2, 4])"},
	{why: "concat along another axis", typ: "R[2, 3]", body: `along 1 concat [[1.0], [2]] [[3, 4], [5, 6]]`, want: "[[1, 3, 4], [2, 5, 6]]"},
	{why: "stack along the outer axis", typ: "R[2, 2]", body: `stack 0 [1.0, 2] [3, 4]`, want: "[[1, 2], [3, 4]]"},
	{why: "stack along the last axis", typ: "R[2, 2]", body: `stack 1 [1.0, 2] [3, 4]`, want: "[[1, 3], [2, 4]]"},
	{why: "stack in the middle", typ: "R[1, 2, 2]", body: `stack 1 [[1.0, 2]] [[3, 4]]`, want: "[[[1, 2], [3, 4]]]"},
	{why: "along one axis a reduction", typ: "R[2]", body: `along 1 sum [[1.0, 2], [3, 4]]`, want: "[3, 7]"},
	{why: "along several axes, those in between stay", typ: "R[2]", body: `along [0, 2] sum (reshape [2, 2, 2] [1.0, 2, 3, 4, 5, 6, 7, 8])`, want: "[14, 22]"},
	{why: "the order of listed axes is that of the vector", typ: "I[2]", body: `along [2, 0] argmax (reshape [2, 2, 2] [1.0, 9, 3, 4, 5, 6, 7, 8])`, want: "[2, 3]"},
	{why: "along all axes", typ: "R", body: `along [0, 1] mean [[1.0, 2], [3, 6]]`, want: "3"},
	{why: "along an axis a function of vectors", typ: "R[2]", body: `along 0 mean [[1.0, 2], [3, 6]]`, want: "[2, 4]"},
	{why: "what results in vectors keeps the axis", typ: "R[2, 3]", body: `along 1 reverse [[1.0, 2, 3], [4, 5, 6]]`, want: "[[3, 2, 1], [6, 5, 4]]"},
	{why: "the axis in the middle stays in the middle", typ: "R[1, 2, 2]", body: `along 1 reverse (reshape [1, 2, 2] [1.0, 2, 3, 4])`, want: "[[[3, 4], [1, 2]]]"},
	{why: "along an axis two operands", typ: "R[2]", body: `along 0 dot [[1.0, 2], [3, 4]] [[5, 6], [7, 8]]`, want: "[26, 44]"},
	{why: "what results in tuples makes tuples", typ: "(R[2], R[2])", body: `along 1 (\r -> (sum r, maximum r)) [[1.0, 2], [3, 4]]`, want: "([3, 7], [2, 4])"},
	{why: "flat goes row by row", typ: "R[4]", body: `flat [[1.0, 2], [3, 4]]`, want: "[1, 2, 3, 4]"},
	{why: "flat of a scalar", typ: "R[1]", body: `flat 3.0`, want: "[3]"},
	{why: "the last row", typ: "R[2]", body: `last [[1.0, 2], [3, 4]]`, want: "[3, 4]"},
	{why: "the last of nothing is 0", typ: "R", body: `last (replicate 0 1.0)`, want: "0"},
	{why: "a definition on scalars is lifted", typ: "R[2, 2]", body: `square [[1.0, 2], [3, 4]]`, want: "[[1, 4], [9, 16]]"},
	{why: "a definition on scalars of nothing", typ: "R[0]", body: `square (replicate 0 1.0)`, want: "[]"},
	{why: "a function passed twice is one", typ: "R", body: `let twice = \f x -> f (f x) in twice (twice (\x -> x * 2)) 1.0`, want: "16"},
	{why: "a function remembers the scope it is from", typ: "R", body: `let k = 10.0 in let f = \x -> x * k in let k = 3.0 in f k`, want: "30"},
	{why: "one function, two types", typ: "(R, R[2])", body: `let f = \x -> x + x in (f 1.0, f [1.0, 2])`, want: "(2, [2, 4])"},
	{why: "arguments one by one", typ: "R", body: `(\x -> \y -> x - y) 3.0 1`, want: "2"},

	// arrays of tuples
	{why: "a literal of tuples", typ: "(R, I)[2]", body: "[(1, 2), (3, 4)]", want: "([1, 3], [2, 4])"},
	{why: "an element of a literal of tuples", typ: "(R, I[2])", body: "[(1, [2, 3]), (4, [5, 6])][1]", want: "(4, [5, 6])"},
	{why: "a build of tuples", typ: "(I, R[1])[2]", body: `build 2 (\i -> (i, [real i]))`, want: "([0, 1], [[0], [1]])"},
	{why: "a build of tuples over two axes", typ: "(I, I)[1, 2]", body: `build [1, 2] (\i j -> (i, j))`, want: "([[0, 0]], [[0, 1]])"},
	{why: "a gather of tuples", typ: "(R, I)[3]", body: `gather [3] [(1, 2), (3, 4)] (\[i] -> [i])`, want: "([1, 3, 0], [2, 4, 0])"},
	{why: "where of tuples", typ: "(R, I)[2]", body: `where [true, false] [(1, 2), (3, 4)] [(5, 6), (7, 8)]`, want: "([1, 7], [2, 8])"},
	{why: "copies of a tuple", typ: "(R, I)[2]", body: `replicate 2 ((1, 2))`, want: "([1, 1], [2, 2])"},
	{why: "a shape of tuples", typ: "(R, I)[2, 1]", body: `reshape [2, 1] [(1, 2), (3, 4)]`, want: "([[1], [3]], [[2], [4]])"},
	{why: "map over tuples", typ: "R[2]", body: `map (\(x, k) -> x * real k) [(1, 2), (3, 4)]`, want: "[2, 12]"},

	// scatter
	{why: "scatter adds in place", typ: "R[3]", body: `scatter [3] [1.0, 2] (\[i] -> [i + 1])`, want: "[0, 1, 2]"},
	{why: "scatter drops what falls outside", typ: "R[2]", body: `scatter [2] [1.0, 2, 4, 8] (\[i] -> [i - 1])`, want: "[2, 4]"},
	{why: "scatter of integers adds", typ: "I[2]", body: `scatter [2] [1, 2, 4] (\[i] -> [i mod 2])`, want: "[5, 2]"},
	{why: "scatter of integers wraps", typ: "I[1]", body: `scatter [1] [9223372036854775807, 1] (\[i] -> [0])`, want: "[-9223372036854775808]"},
	{why: "scatter adds in index order, from the left", typ: "R[1]", body: `scatter [1] [1e16, 1, -1e16, 1] (\[i] -> [0])`, want: "[1]", float: true},
	{why: "another order gives another sum", typ: "R[1]", body: `scatter [1] [1e16, -1e16, 1, 1] (\[i] -> [0])`, want: "[2]"},
	{why: "scatter over two axes goes row by row", typ: "R[1]", body: `scatter [1] [[1e16, 1], [-1e16, 1]] (\[i, j] -> [0])`, want: "[1]", float: true},
	{why: "scatter of rows", typ: "R[2, 2]", body: `scatter [2] [[1.0, 2], [3, 4], [5, 6]] (\[i] -> [i div 2])`, want: "[[4, 6], [5, 6]]"},
	{why: "scatter to two axes", typ: "R[2, 2]", body: `scatter [2, 2] [1.0, 2, 4] (\[i] -> [i mod 2, 1])`, want: "[[0, 5], [0, 2]]"},
	{why: "one component out of range drops a value", typ: "R[2, 2]", body: `scatter [2, 2] [1.0, 2] (\[i] -> [0, i + 1])`, want: "[[0, 1], [0, 0]]"},
	{why: "scatter over no axis adds once", typ: "R[2, 2]", body: `scatter [2] [5.0, 6] (\[] -> [1])`, want: "[[0, 0], [5, 6]]"},
	{why: "scatter starts from +0: 0 + -0 is 0", typ: "R[1]", body: `scatter [1] [neg 0.0] (\[i] -> [0])`, want: "[0]"},

	// sum
	{why: "sum adds", typ: "R", body: "sum [1.0, 2, 4]", want: "7"},
	{why: "sum starts from +0", typ: "R", body: "sum [neg 0.0, neg 0.0]", want: "0"},
	{why: "sum goes from the left", typ: "R", body: "sum [1e16, 1, -1e16, 1]", want: "1", float: true},
	{why: "sum takes the outer axis", typ: "R[2]", body: "sum [[1.0, 2], [10, 20], [100, 200]]", want: "[111, 222]"},
	{why: "a sum of integers wraps", typ: "I", body: "sum [9223372036854775807, 2]", want: "-9223372036854775807"},
	{why: "log of the smallest denormal", typ: "B", body: "abs (log (2 ^ (-1074)) / log 2 + 1074) < 1e-9", want: "true", float: true},
	{why: "log of a denormal", typ: "B", body: "abs (log (2 ^ (-1030)) / log 2 + 1030) < 1e-9", want: "true", float: true},
	{why: "a root of a denormal", typ: "B", body: "abs ((2 ^ (-1030)) ^ 0.5 * 2 ^ 515 - 1) < 1e-9 && abs ((2 ^ (-1074)) ^ (-0.25) * 2 ^ (-268.5) - 1) < 1e-9", want: "true", float: true},
	{why: "exp just below the largest float", typ: "B", body: "abs (log (exp 709.7) - 709.7) < 1e-9", want: "true", float: true},
	{why: "exp beyond the largest float", typ: "R", body: "exp 709.8", want: "+Inf", float: true},
	{why: "infinities of two signs sum to NaN", typ: "R", body: "sum [inf, -inf]", want: "NaN", float: true},

	// maximum, minimum, argmax
	{why: "maximum", typ: "R", body: "maximum [1.0, 3, 2]", want: "3"},
	{why: "maximum of negatives", typ: "R", body: "maximum [-1.0, -3]", want: "-1"},
	{why: "maximum along the outer axis", typ: "R[2]", body: "maximum [[1.0, 5], [2, 4]]", want: "[2, 5]"},
	{why: "minimum", typ: "R", body: "minimum [1.0, -3, 2]", want: "-3"},
	{why: "maximum of NaN is NaN wherever it stands", typ: "R[3]", body: "build 3 (\\k -> maximum (build 3 (\\i -> if i == k then nan else inf)))", want: "[NaN, NaN, NaN]", float: true},
	{why: "minimum of NaN is NaN", typ: "R", body: "minimum [-inf, nan]", want: "NaN", float: true},
	{why: "maximum puts +0 above -0", typ: "R[2]", body: "[maximum [neg 0.0, 0], maximum [0, neg 0.0]]", want: "[0, 0]"},
	{why: "minimum puts -0 below +0", typ: "R[2]", body: "[minimum [neg 0.0, 0], minimum [0, neg 0.0]]", want: "[-0, -0]", float: true},
	{why: "argmax", typ: "I", body: "argmax [1.0, 3, 2]", want: "1"},
	{why: "argmax of ties is the first", typ: "I", body: "argmax [1.0, 3, 3, 0]", want: "1"},
	{why: "argmax of negatives", typ: "I", body: "argmax [-3.0, -1, -2]", want: "1"},
	{why: "argmax of -inf alone is the first", typ: "I", body: "argmax [-inf, -inf]", want: "0", float: true},
	{why: "argmax is the first NaN", typ: "I", body: "argmax [1.0, nan, inf, nan]", want: "1", float: true},
	{why: "argmax does not tell -0 from +0", typ: "I", body: "argmax [neg 0.0, 0.0]", want: "0"},
	{why: "argmax along the outer axis", typ: "I[2]", body: "argmax [[1.0, 5], [2, 4]]", want: "[1, 0]"},

	// empty arrays
	{why: "sum of nothing", typ: "R", body: "sum (replicate 0 1.0)", want: "0"},
	{why: "sum of no rows is a row of zeros", typ: "R[2]", body: "sum (replicate [0, 2] 1.0)", want: "[0, 0]"},
	{why: "sum of empty rows", typ: "R[0]", body: "sum (replicate [2, 0] 1.0)", want: "[]"},
	{why: "integer sum of nothing", typ: "I", body: "sum (iota 0)", want: "0"},
	{why: "maximum of nothing", typ: "R", body: "maximum (replicate 0 1.0)", want: "-Inf", float: true},
	{why: "maximum of no rows", typ: "R[2]", body: "maximum (replicate [0, 2] 1.0)", want: "[-Inf, -Inf]", float: true},
	{why: "minimum of nothing", typ: "R", body: "minimum (replicate 0 1.0)", want: "+Inf", float: true},
	{why: "argmax of nothing", typ: "I", body: "argmax (replicate 0 1.0)", want: "0"},
	{why: "argmax of no rows", typ: "I[2]", body: "argmax (replicate [0, 2] 1.0)", want: "[0, 0]"},
	{why: "build of nothing does not look at its body", typ: "R[0]", body: `build 0 (\i -> [1.0][i])`, want: "[]"},
	{why: "index into nothing", typ: "R", body: "(replicate 0 5.0)[0]", want: "0"},
	{why: "index of a row of nothing", typ: "R[2]", body: "(replicate [0, 2] 5.0)[0]", want: "[0, 0]"},
	{why: "gather from nothing reads zeros", typ: "R[2]", body: `gather [2] (replicate 0 5.0) (\[i] -> [i])`, want: "[0, 0]"},
	{why: "scatter of nothing is zeros", typ: "R[2]", body: `scatter [2] (replicate 0 5.0) (\[i] -> [i])`, want: "[0, 0]"},
	{why: "scatter into nothing", typ: "R[0]", body: `scatter [0] [1.0] (\[i] -> [i])`, want: "[]"},
	{why: "arithmetic on nothing", typ: "R[0]", body: "let e = replicate 0 5.0 in e * e + 1", want: "[]"},
	{why: "tr of an array without elements", typ: "R[0, 2]", body: "tr [1, 0] (replicate [2, 0] 1.0)", want: "[]"},
	{why: "reshape of an array without elements", typ: "R[3, 0]", body: "reshape [3, 0] (replicate [0, 7] 1.0)", want: "[[], [], []]"},
	{why: "nothing, replicated", typ: "R[2, 0]", body: "replicate 2 (replicate 0 1.0)", want: "[[], []]"},
	{why: "nothing beside something", typ: "(R[0], R)", body: "(replicate 0 1.0, 2.0)", want: "([], 2)"},
	{why: "concat with nothing", typ: "R[2]", body: "concat(replicate 0 9.0, [1.0, 2])", want: "[1, 2]"},
	{why: "mean of nothing is 0 / 0", typ: "R", body: "mean (replicate 0 1.0)", want: "NaN", float: true},

	// cond and where
	{why: "cond", typ: "R", body: "if true then 1.0 else 2.0", want: "1"},
	{why: "cond evaluates both branches and keeps one", typ: "R", body: "if 1.0 < 2.0 then 5.0 else index [1.0] [7] / 3.0", want: "5"},
	{why: "a NaN in the other branch does no harm", typ: "R", body: "if false then 0.0 / 0.0 else 2.0", want: "2", float: true},
	{why: "cond of arrays, one branch a scalar", typ: "R[2]", body: "if false then [1.0, 2] else 0", want: "[0, 0]"},
	{why: "cond of tuples goes part by part", typ: "(R, I)", body: "if false then (1.0, 2) else (3.0, 4)", want: "(3, 4)"},
	{why: "where takes each element from its side", typ: "R[3]", body: "where [true, false, true] [1.0, 2, 3] [10.0, 20, 30]", want: "[1, 20, 3]"},
	{why: "where replicates scalars", typ: "R[3]", body: "where [true, false, true] 1.0 0.0", want: "[1, 0, 1]"},
	{why: "where on scalars", typ: "I", body: "where false 1 2", want: "2"},
	{why: "where of truth values", typ: "B[2]", body: "where [true, false] [false, true] [true, true]", want: "[false, true]"},

	// I
	{why: "addition wraps", typ: "I", body: "9223372036854775807 + 1", want: "-9223372036854775808"},
	{why: "subtraction wraps", typ: "I", body: "-9223372036854775808 - 1", want: "9223372036854775807"},
	{why: "multiplication wraps", typ: "I", body: "4611686018427387904 * 2", want: "-9223372036854775808"},
	{why: "negation wraps", typ: "I", body: "neg (-9223372036854775808)", want: "-9223372036854775808"},
	{why: "abs wraps", typ: "I", body: "abs (-9223372036854775808)", want: "-9223372036854775808"},
	{why: "abs", typ: "I[3]", body: "abs [-3, 0, 3]", want: "[3, 0, 3]"},
	{why: "div floors", typ: "I[4]", body: "[7, -7, 7, -7] div [2, 2, -2, -2]", want: "[3, -4, -4, 3]"},
	{why: "mod has the sign of the divisor", typ: "I[4]", body: "[7, -7, 7, -7] mod [2, 2, -2, -2]", want: "[1, 1, -1, -1]"},
	{why: "div and mod that come out even", typ: "I[4]", body: "[6 div -2, -6 div 2, 6 mod -2, -6 mod 2]", want: "[-3, -3, 0, 0]"},
	{why: "div by 0 is 0", typ: "I[3]", body: "[7, 0, -7] div 0", want: "[0, 0, 0]"},
	{why: "mod by 0 is 0", typ: "I[3]", body: "[7, 0, -7] mod 0", want: "[0, 0, 0]"},
	{why: "the least integer by -1", typ: "(I, I)", body: "(-9223372036854775808 div -1, -9223372036854775808 mod -1)", want: "(-9223372036854775808, 0)"},
	{why: "div and mod at the ends", typ: "I[4]", body: "[-9223372036854775808 div 2, -9223372036854775808 mod 3, 9223372036854775807 div -9223372036854775808, 1 mod -9223372036854775808]", want: "[-4611686018427387904, 1, -1, -9223372036854775807]"},
	{why: "min and max of integers", typ: "I[2]", body: "[min 3 (-3), max 3 (-3)]", want: "[-3, 3]"},
	{why: "comparison of integers", typ: "B[6]", body: "[1 < 2, 2 < 2, 2 <= 2, 3 <= 2, 2 == 2, 2 != 2]", want: "[true, false, true, false, true, false]"},
	{why: "the other way round", typ: "B[4]", body: "[1 > 2, 3 > 2, 2 >= 2, 2 >= 3]", want: "[false, true, true, false]"},
	{why: "a chain of comparisons", typ: "B[3]", body: "build 3 (\\i -> 0 < i <= 1)", want: "[false, true, false]"},
	{why: "integers compare beyond the precision of R", typ: "B", body: "9223372036854775807 == 9223372036854775806", want: "false"},
	{why: "iota", typ: "I[4]", body: "iota 4", want: "[0, 1, 2, 3]"},

	// B
	{why: "and", typ: "B[2, 2]", body: "[[true, true], [false, false]] && [[true, false], [true, false]]", want: "[[true, false], [false, false]]"},
	{why: "or", typ: "B[2, 2]", body: "[[true, true], [false, false]] || [[true, false], [true, false]]", want: "[[true, true], [true, false]]"},
	{why: "not", typ: "B[2]", body: "not [true, false]", want: "[false, true]"},
	{why: "equality of truth values", typ: "B[2]", body: "[true, false] == [false, false]", want: "[false, true]"},

	// between I and R
	{why: "real", typ: "R[2]", body: "real [3, -4]", want: "[3, -4]"},
	{why: "real rounds to nearest", typ: "R", body: "real 9223372036854775807", want: "9.223372036854776e+18"},
	{why: "floor", typ: "I[4]", body: "floor [1.5, -1.5, 2.0, -0.25]", want: "[1, -2, 2, -1]"},
	{why: "floor saturates", typ: "I[2]", body: "floor [1e19, -1e19]", want: "[9223372036854775807, -9223372036854775808]"},
	{why: "floor of infinities saturates", typ: "I[2]", body: "floor [inf, -inf]", want: "[9223372036854775807, -9223372036854775808]", float: true},
	{why: "floor of NaN is 0", typ: "I", body: "floor nan", want: "0", float: true},
	{why: "floor at the ends", typ: "I[2]", body: "floor [9223372036854775808.0, -9223372036854775808.0]", want: "[9223372036854775807, -9223372036854775808]"},
	{why: "round takes ties to even", typ: "I[6]", body: "round [0.5, 1.5, 2.5, -0.5, -1.5, -2.5]", want: "[0, 2, 2, 0, -2, -2]"},
	{why: "round to nearest", typ: "I[4]", body: "round [0.75, 1.25, -0.75, -1.25]", want: "[1, 1, -1, -1]"},
	{why: "round just below a half", typ: "I", body: "round 0.49999999999999994", want: "0"},
	{why: "round saturates, NaN is 0", typ: "I[3]", body: "round [inf, -inf, nan]", want: "[9223372036854775807, -9223372036854775808, 0]", float: true},

	// R
	{why: "division by zero is infinite", typ: "R[3]", body: "[1.0, -1, 0] / 0", want: "[+Inf, -Inf, NaN]", float: true},
	{why: "division by -0", typ: "R", body: "1 / neg 0.0", want: "-Inf", float: true},
	{why: "neg makes -0", typ: "R", body: "neg 0.0", want: "-0", float: true},
	{why: "a literal -0.0 is the negative zero too", typ: "R[2]", body: "[-0.0, 1 / -0.0]", want: "[-0, -Inf]", float: true},
	{why: "0 - 0 is +0", typ: "R", body: "0.0 - 0.0", want: "0"},
	{why: "0 times infinity", typ: "R", body: "0.0 * inf", want: "NaN", float: true},
	{why: "a product is rounded before a sum: no fused multiply-add", typ: "R",
		body: "let x = 1 + 1%134217728 in x * x - (1 + 1%67108864)", want: "0", float: true},
	{why: "a literal is rounded once, to nearest", typ: "R[2]", body: "[0.1, 1%3]", want: "[0.1, 0.3333333333333333]"},
	{why: "min and max with NaN are NaN", typ: "R[4]", body: "[min nan 1, min 1 nan, max nan inf, max inf nan]", want: "[NaN, NaN, NaN, NaN]", float: true},
	{why: "min and max with NaN and -inf", typ: "R[2]", body: "[min nan (-inf), max nan (-inf)]", want: "[NaN, NaN]", float: true},
	{why: "min and max order the zeros", typ: "R[4]", body: "[min 0 (neg 0.0), min (neg 0.0) 0, max 0 (neg 0.0), max (neg 0.0) 0]", want: "[-0, -0, 0, 0]", float: true},
	{why: "comparison with NaN is false", typ: "B[5]", body: "[nan < 1, nan > 1, nan == nan, nan <= nan, 1 <= nan]", want: "[false, false, false, false, false]", float: true},
	{why: "NaN differs from itself", typ: "B", body: "nan != nan", want: "true", float: true},
	{why: "the zeros are equal", typ: "B[2]", body: "[neg 0.0 == 0, neg 0.0 < 0]", want: "[true, false]"},
	{why: "infinities compare", typ: "B[2]", body: "[-inf < inf, inf == inf]", want: "[true, true]", float: true},
	{why: "abs", typ: "R[2]", body: "abs [-1.5, neg 0.0]", want: "[1.5, 0]"},
	{why: "sqrt", typ: "R[4]", body: "sqrt [4.0, 0, neg 0.0, -1]", want: "[2, 0, -0, NaN]", float: true},
	{why: "exp", typ: "R[4]", body: "exp [0.0, 1000, -1000, -inf]", want: "[1, +Inf, 0, 0]", float: true},
	{why: "log", typ: "R[4]", body: "log [1.0, 0, -1, inf]", want: "[0, -Inf, NaN, +Inf]", float: true},
	{why: "tanh and sigmoid saturate", typ: "R[4]", body: "[tanh 1000, tanh (-1000), sigmoid 1000, sigmoid (-1000)]", want: "[1, -1, 1, 0]", float: true},
	{why: "powers", typ: "R[5]", body: "[2 ^ 10, 2 ^ -1, (-2) ^ 3, 0 ^ 0, 9 ^ 0.5]", want: "[1024, 0.5, -8, 1, 3]", float: true},
	{why: "^ goes from the right, minus is weaker", typ: "R[2]", body: "[2 ^ 3 ^ 2, -2 ^ 2]", want: "[512, -4]"},
	{why: "atan2 knows the quadrants and the zeros", typ: "R[4]", body: "[atan2 0 1, atan2 0 (-1), atan2 (neg 0.0) (-1), atan2 1 0]",
		want: "[0, 3.141592653589793, -3.141592653589793, 1.5707963267948966]", float: true},

	// shapes
	{why: "a scalar operand is replicated", typ: "R[2]", body: "[1.0, 2] * 10", want: "[10, 20]"},
	{why: "a function of one argument works on elements", typ: "R[2, 1]", body: "neg [[1.0], [2]]", want: "[[-1], [-2]]"},
	{why: "replicate adds an outer axis", typ: "R[2, 3]", body: "replicate 2 [1.0, 2, 3]", want: "[[1, 2, 3], [1, 2, 3]]"},
	{why: "replicate adds several", typ: "I[2, 1, 2]", body: "replicate [2, 1] [5, 6]", want: "[[[5, 6]], [[5, 6]]]"},
	{why: "replicate by no sizes", typ: "R[2]", body: "replicate [] [1.0, 2]", want: "[1, 2]"},
	{why: "tr permutes", typ: "R[2, 3]", body: "tr [1, 0] [[1.0, 2], [3, 4], [5, 6]]", want: "[[1, 3, 5], [2, 4, 6]]"},
	{why: "tr on a prefix leaves the inner axes", typ: "I[2, 1, 2]", body: "tr [1, 0] [[[1, 2], [3, 4]]]", want: "[[[1, 2]], [[3, 4]]]"},
	{why: "axis i of tr is axis perm[i] of the operand", typ: "I[3, 1, 2]", body: "tr [2, 0, 1] [[[1, 2, 3], [4, 5, 6]]]", want: "[[[1, 4]], [[2, 5]], [[3, 6]]]"},
	{why: "tr of nothing permuted", typ: "I[2]", body: "tr [] [1, 2]", want: "[1, 2]"},
	{why: "reshape keeps row-major order", typ: "I[3, 2]", body: "reshape [3, 2] [[1, 2, 3], [4, 5, 6]]", want: "[[1, 2], [3, 4], [5, 6]]"},
	{why: "reshape to a scalar and back", typ: "(I, I[1, 1])", body: "(reshape [] [7], reshape [1, 1] 7)", want: "(7, [[7]])"},
	{why: "build over two axes", typ: "I[2, 3]", body: `build [2, 3] (\[i, j] -> 10 * i + j)`, want: "[[0, 1, 2], [10, 11, 12]]"},
	{why: "build of rows", typ: "I[2, 3]", body: `build 2 (\i -> iota 3 + i)`, want: "[[0, 1, 2], [1, 2, 3]]"},
	{why: "an array literal of rows", typ: "R[2, 2]", body: "let a = [1.0, 2] in [a, a + 1]", want: "[[1, 2], [2, 3]]"},
	{why: "the tuple of nothing", typ: "(R, ())", body: "let t = () in (1.0, t)", want: "(1, ())"},
	{why: "tuples", typ: "(R, (I, B))", body: "let (a, b) = (1.0, (2, true)) in (a + a, (b.0 * 3, b.1))", want: "(2, (6, true))"},

	// prelude
	{why: "map", typ: "R[2]", body: `map (\x -> x * x) [3.0, 4]`, want: "[9, 16]"},
	{why: "zip", typ: "R[2]", body: `zip (\x y -> x - y) [3.0, 4] [1.0, 1]`, want: "[2, 3]"},
	{why: "dot", typ: "R", body: "dot [1.0, 2, 3] [4, 5, 6]", want: "32"},
	{why: "outer", typ: "R[2, 2]", body: "outer [1.0, 2] [3, 4]", want: "[[3, 4], [6, 8]]"},
	{why: "matvec and vecmat", typ: "(R[2], R[2])", body: "let a = [[1.0, 2], [3, 4]] in (matvec a [1, 10], vecmat [1, 10] a)", want: "([21, 43], [31, 42])"},
	{why: "matmul", typ: "R[2, 2]", body: "matmul [[1.0, 2], [3, 4]] [[0, 1], [1, 0]]", want: "[[2, 1], [4, 3]]"},
	{why: "transpose", typ: "R[2, 1]", body: "transpose [[1.0, 2]]", want: "[[1], [2]]"},
	{why: "reverse", typ: "R[3]", body: "reverse [1.0, 2, 3]", want: "[3, 2, 1]"},
	{why: "slice reads 0 beyond the end", typ: "R[3]", body: "slice(3, [1.0, 2, 3], 1)", want: "[2, 3, 0]"},
	{why: "concat", typ: "R[3]", body: "concat [1.0] [2, 3]", want: "[1, 2, 3]"},
	{why: "diagonal", typ: "R[2]", body: "diagonal [[1.0, 2], [3, 4]]", want: "[1, 4]"},
	{why: "sum2", typ: "R", body: "sum2 [[1.0, 2], [3, 4]]", want: "10"},
	{why: "square and sumsq", typ: "R[2]", body: "[square 3, sumsq [1.0, 2, 3]]", want: "[9, 14]"},
	{why: "norm", typ: "R", body: "norm [3.0, 4]", want: "5", float: true},
	{why: "mean and variance", typ: "R[2]", body: "[mean [1.0, 3], variance [1.0, 3]]", want: "[2, 1]"},
	{why: "relu", typ: "R[2]", body: "[relu (-1), relu 2]", want: "[0, 2]"},
	{why: "softplus does not overflow", typ: "R[3]", body: "[softplus 1000, softplus (-1000), softplus 0]", want: "[1000, 0, 0.6931471805599453]", float: true},
	{why: "logsumexp does not overflow", typ: "R", body: "logsumexp [1000.0, 1000]", want: "1000.6931471805599", float: true},
	{why: "softmax does not overflow", typ: "R[2]", body: "softmax [1000.0, 1000]", want: "[0.5, 0.5]", float: true},
	{why: "searchsorted finds the first place that nothing smaller is at", typ: "I[5]", body: "searchsorted [1.0, 2, 2, 5] [0, 1, 2, 3, 9]", want: "[0, 0, 1, 3, 4]"},
	{why: "searchsorted of one value", typ: "I", body: "searchsorted [1.0, 2, 2, 5] 2", want: "1"},
	{why: "searchsorted of a matrix", typ: "I[2, 2]", body: "searchsorted [1.0, 2, 2, 5] [[0, 2], [3, 9]]", want: "[[0, 1], [3, 4]]"},
	{why: "searchsorted by columns", typ: "I[1, 2]", body: "searchsorted [[1.0, 4], [3, 5]] [[2, 2]]", want: "[[1, 0]]"},
	{why: "searchsorted in nothing", typ: "I", body: "searchsorted (replicate 0 1.0) 2", want: "0"},
	{why: "searchsorted of nothing", typ: "I[0]", body: "searchsorted [1.0] (replicate 0 1.0)", want: "[]"},
	{why: "searchsorted of -0", typ: "I", body: "searchsorted [-1.0, 0, 1] (-0.0)", want: "1"},
	{why: "searchsorted finds NaN before the first NaN, and infinities", typ: "I[4]", body: "searchsorted [-inf, 0, inf, nan, nan] [nan, inf, -inf, 1e70]", want: "[3, 2, 0, 2]", float: true},
	{why: "searchsorted of NaN among numbers", typ: "I", body: "searchsorted [1.0, 2] nan", want: "2", float: true},
	{why: "stopgrad is its operand", typ: "(R, I, B, R[2])", body: "(stopgrad 2.5, stopgrad 3, stopgrad true, map stopgrad [1.0, 2])", want: "(2.5, 3, true, [1, 2])"},
	{why: "stopgrad of a tuple", typ: "(R, B[1])", body: "stopgrad ((2.5, [true]))", want: "(2.5, [true])"},
	// matrices
	{why: "cholesky reads the lower triangle, and is 0 above", typ: "R[2, 2]", body: "cholesky [[4.0, 77], [2, 10]]", want: "[[2, 0], [1, 3]]", float: true},
	{why: "cholesky of what is not positive definite is NaN", typ: "R[2, 2]", body: "cholesky [[1.0, 2], [2, 1]]", want: "[[NaN, NaN], [NaN, NaN]]", float: true},
	{why: "cholesky of what is singular is NaN", typ: "R[2, 2]", body: "cholesky [[1.0, 1], [1, 1]]", want: "[[NaN, NaN], [NaN, NaN]]", float: true},
	{why: "cholesky of NaN is NaN", typ: "R[1, 1]", body: "cholesky [[nan]]", want: "[[NaN]]", float: true},
	{why: "cholesky of a number is its root", typ: "R[1, 1]", body: "cholesky [[9.0]]", want: "[[3]]", float: true},
	{why: "cholesky of nothing", typ: "R[0, 0]", body: "cholesky (replicate 0 (replicate 0 1.0))", want: "[]"},
	{why: "one matrix that has no factor leaves others as they are", typ: "R[2, 1, 1]", body: `map cholesky [[[-1.0]], [[4.0]]]`, want: "[[[NaN]], [[2]]]", float: true},
	{why: "matrices lie along the first axes", typ: "R[1, 1, 2]", body: "cholesky [[[4.0, 9]]]", want: "[[[2, 3]]]", float: true},
	{why: "trisolve reads the lower triangle", typ: "R[2]", body: "trisolve [[2.0, 77], [1, 4]] [2, 9]", want: "[1, 2]"},
	{why: "trisolvet solves the system of the transpose", typ: "R[2]", body: "trisolvet [[2.0, 77], [1, 4]] [4, 8]", want: "[1, 2]"},
	{why: "trisolve of many right sides", typ: "R[2, 2]", body: "trisolve [[2.0, 0], [1, 4]] [[2, 4], [9, 2]]", want: "[[1, 2], [2, 0]]"},
	{why: "trisolve with 0 on the diagonal is NaN", typ: "R[2]", body: "trisolve [[1.0, 0], [1, 0]] [1, 1]", want: "[NaN, NaN]", float: true},
	{why: "solve", typ: "R[2]", body: "solve [[0.0, 2], [4, 0]] [2, 8]", want: "[2, 1]"},
	{why: "solve exchanges rows", typ: "R[3]", body: "solve [[0.0, 0, 2], [0, 4, 0], [8, 0, 0]] [2, 4, 8]", want: "[1, 1, 1]"},
	{why: "solve of what is singular is NaN", typ: "R[2]", body: "solve [[1.0, 2], [2, 4]] [1, 2]", want: "[NaN, NaN]", float: true},
	{why: "solve of many right sides", typ: "R[2, 3]", body: "solve [[2.0, 0], [0, 4]] [[2, 4, 6], [4, 8, 12]]", want: "[[1, 2, 3], [1, 2, 3]]"},
	{why: "solve of nothing", typ: "R[0]", body: "solve (replicate 0 (replicate 0 1.0)) (replicate 0 1.0)", want: "[]"},
	{why: "solve of no right sides", typ: "R[1, 0]", body: "solve [[2.0]] (replicate 1 (replicate 0 1.0))", want: "[[]]"},
	{why: "logdet", typ: "R", body: "logdet [[2.0, 1], [1, 1]]", want: "0", float: true},
	{why: "logdet of a negative determinant is NaN", typ: "R", body: "logdet [[0.0, 1], [1, 0]]", want: "NaN", float: true},
	{why: "logdet of two negative factors", typ: "R", body: "logdet [[-1.0, 0], [0, -1]]", want: "0", float: true},
	{why: "logdet of what is singular is -inf", typ: "R", body: "logdet [[1.0, 2], [2, 4]]", want: "-Inf", float: true},
	{why: "logdet of NaN is NaN", typ: "R", body: "logdet [[nan, 1], [1, 2]]", want: "NaN", float: true},
	{why: "logdet of nothing is 0", typ: "R", body: "logdet (replicate 0 (replicate 0 1.0))", want: "0"},
	{why: "logdet does not overflow", typ: "R", body: "logdet (1e70 * build [10, 10] (\\i j -> if i == j then 1 else 0))", want: "1611.809565095832", float: true},
	{why: "pi", typ: "R", body: "pi", want: "3.141592653589793"},
}

func TestMeaning(t *testing.T) {
	for _, c := range meanings {
		t.Run(c.why, func(t *testing.T) {
			p := instance(t, "def f: "+c.typ+" = "+c.body, nil)
			if got := run(t, p, nil); got != c.want {
				t.Errorf("%s is %s, want %s", c.body, got, c.want)
			}
			r, err := eval.Interpret(p.Store, p.Root, eval.RationalArrays(), nil)
			switch {
			case c.float && err == nil && showRationals(r) == c.want:
				t.Errorf("%s means the same over rationals: it is marked float for nothing", c.body)
			case c.float:
			case err != nil:
				t.Errorf("over rationals: %v", err)
			case showRationals(r) != c.want:
				t.Errorf("over rationals %s is %s, want %s", c.body, showRationals(r), c.want)
			}
		})
	}
}

// The evaluator itself knows empty arrays; programs do not show it, because
// elaboration replaces what has an empty axis.
func TestEvaluatorKnowsEmptyArrays(t *testing.T) {
	zero, two := size.Const(0), size.Const(2)
	s := term.NewStore(term.NewSignature())
	one := func(is []term.Term) []term.Term { return is[:1] }
	empty := s.Lit(ops.ScalarR(numeric.Int(1)), zero)
	rows := s.Lit(ops.ScalarR(numeric.Int(1)), zero, two)  // no rows
	holes := s.Lit(ops.ScalarR(numeric.Int(1)), two, zero) // two rows of nothing
	for _, c := range []struct {
		why  string
		term term.Term
		want string
	}{
		{"sum", s.Apply(ops.SymSum, empty), "0"},
		{"sum of no rows", s.Apply(ops.SymSum, rows), "[0, 0]"},
		{"sum of empty rows", s.Apply(ops.SymSum, holes), "[]"},
		{"maximum", s.Apply(ops.SymMaximum, rows), "[-Inf, -Inf]"},
		{"maximum of empty rows", s.Apply(ops.SymMaximum, holes), "[]"},
		{"minimum", s.Apply(ops.SymMinimum, empty), "+Inf"},
		{"argmax", s.Apply(ops.SymArgmax, rows), "[0, 0]"},
		{"argmax of empty rows", s.Apply(ops.SymArgmax, holes), "[]"},
		{"index", s.Index(rows, s.LitInt(0)), "[0, 0]"},
		{"index of empty rows", s.Index(holes, s.LitInt(1)), "[]"},
		{"gather from nothing", s.Gather([]size.Size{two}, rows, one), "[[0, 0], [0, 0]]"},
		{"gather over nothing", s.Gather([]size.Size{zero}, rows, one), "[]"},
		{"scatter of nothing", s.Scatter([]size.Size{zero}, []size.Size{two}, empty, one), "[0, 0]"},
		{"scatter into nothing", s.Scatter([]size.Size{two}, []size.Size{zero}, s.Lit(ops.ScalarI(1), two), one), "[]"},
		{"scatter of empty rows", s.Scatter([]size.Size{two}, []size.Size{two}, holes, one), "[[], []]"},
		{"build", s.Build(zero, func(i term.Term) term.Term { return i }), "[]"},
		{"build of empty rows", s.Build(two, func(term.Term) term.Term { return empty }), "[[], []]"},
		{"stack", s.Apply(ops.SymStack, s.Apply(ops.SymNeg, empty), empty), "[[], []]"},
		{"replicate", s.Replicate(two, s.Apply(ops.SymNeg, empty)), "[[], []]"},
		{"replicate to nothing", s.Replicate(zero, s.Var("x", types.ArrayOf(types.R))), "[]"},
		{"tr", s.Tr([]int{1, 0}, holes), "[]"},
		{"tr with empty inner axes", s.Tr([]int{1, 0}, s.Lit(ops.ScalarI(1), two, size.Const(1), zero)), "[[[], []]]"},
		{"reshape", s.Reshape([]size.Size{two, zero}, rows), "[[], []]"},
		{"elementwise", s.Apply(ops.SymAdd, rows, rows), "[]"},
		{"iota", s.MustMake(ops.Op{Sym: ops.SymIota, Sizes: []size.Size{zero}}, nil, nil, nil), "[]"},
	} {
		v, err := eval.Interpret(s, c.term, eval.FloatArrays(), eval.Env[*eval.Value[float64]]{"x": reals(nil, 5)})
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if got := showFloats(v); got != c.want {
			t.Errorf("%s is %s, want %s", c.why, got, c.want)
		}
	}
}

// Values of the special functions, from tables (Abramowitz and Stegun, chapter 6
// and its relatives) to the precision of float64.
func TestSpecialFunctions(t *testing.T) {
	const (
		euler   = 0.57721566490153286061
		zeta3   = 1.2020569031595942854
		catalan = 0.91596559417721901505
	)
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		body string
		want float64
	}{
		{"lgamma 1", 0},
		{"lgamma 0.5", 0.57236494292470008707}, // log pi / 2
		{"lgamma 10", 12.801827480081469611},   // log 9!
		{"lgamma (-0.5)", 1.2655121234846454},  // log (2 sqrt pi)
		{"lgamma 0", inf},
		{"lgamma (-3)", inf},
		{"lgamma inf", inf},
		{"lgamma 1000000", 12815504.569147612},
		{"polygamma 0 1", -euler},
		{"polygamma 0 0.5", -euler - 2*math.Ln2},
		{"polygamma 0 2", 1 - euler},
		{"polygamma 0 (-0.5)", 2 - euler - 2*math.Ln2},
		{"polygamma 0 inf", inf},
		{"polygamma 0 (-1)", nan},
		{"polygamma 0 nan", nan},
		{"polygamma 1 1", math.Pi * math.Pi / 6},
		{"polygamma 1 0.5", math.Pi * math.Pi / 2},
		{"polygamma 1 0.25", math.Pi*math.Pi + 8*catalan},
		{"polygamma 1 (-0.5)", math.Pi*math.Pi/2 + 4},
		{"polygamma 1 0", inf},
		{"polygamma 1 inf", 0},
		{"polygamma 1 nan", nan},
		{"polygamma 2 1", -2 * zeta3},
		{"polygamma 2 0.5", -14 * zeta3},
		{"polygamma 3 1", math.Pow(math.Pi, 4) / 15},
		{"polygamma 3 0.5", math.Pow(math.Pi, 4)},
		{"polygamma 10 (-0.5)", -42108.858768975491797}, // as polygamma 10 1.5
		{"polygamma 3 (-3.25)", 1558.5088028182791312},
		{"polygamma 0 0.0000000001", -10000000000.577215665},
		{"polygamma 0 (neg 0.0)", inf},
		{"polygamma 2 0", -inf},
		{"polygamma 2 (-1)", nan},
		{"polygamma 3 (-1)", inf},
		{"polygamma 0 (-1000.25)", 10.050097693066805876},
		{"polygamma 1 1000000", 1.0000005000001667e-6},
		{"sigmoid 0", 0.5},
		{"sigmoid 1", 0.73105857863000487925},
		{"sigmoid (-1)", 0.26894142136999512074},
		{"sigmoid (-700)", 9.859676543759770e-305},
		{"sigmoid nan", nan},
		{"tanh 0.5", 0.46211715726000975850},
		{"tanh (neg 0.0)", math.Copysign(0, -1)},
		{"sin 1", 0.84147098480789650665},
		{"sin inf", nan},
		{"cos 1", 0.54030230586813971740},
		{"tan 1", 1.5574077246549022305},
		{"exp 1", math.E},
		{"log 2", math.Ln2},
		{"2 ^ 0.5", math.Sqrt2},
		{"(-1) ^ 0.5", nan},
		{"atan2 1 1", math.Pi / 4},
		{"atan2 (-1) (-1)", -3 * math.Pi / 4},
		{"sqrt 2", math.Sqrt2},
		{"asin 0.5", 0.5235987755982989},
		{"asin (-0.999999)", -1.5693821131146521},
		{"acos 0.5", 1.0471975511965979},
		{"acos 0.9999999999", 1.4142136208911564e-05},
		{"acos (-0.9)", 2.6905658417935308},
		{"atan 1.0", 0.7853981633974483},
		{"atan (-3.0)", -1.2490457723982544},
		{"sinh 1.0", 1.1752011936438014},
		{"sinh (-1e-05)", -1.0000000000166668e-05},
		{"cosh 1.0", 1.5430806348152437},
		{"cosh (-3.0)", 10.067661995777765},
		{"log1p 1e-10", 9.999999999500001e-11},
		{"log1p (-0.5)", -0.6931471805599453},
		{"expm1 1e-10", 1.00000000005e-10},
		{"expm1 (-40.0)", -1.0},
		{"erf 1.0", 0.8427007929497149},
		{"gamma 5.0", 24},
		{"gamma 0.5", 1.7724538509055161},
		{"gamma (-0.5)", -3.544907701811032},
		{"gamma (-1.5)", 2.363271801207355},
		{"gamma 0.0", inf},
		{"gamma nan", nan},
		{"digamma 1.0", -0.5772156649015329},
		{"lbeta 2.0 3.0", -2.4849066497880004},
		{"beta 2.0 3.0", 1.0 / 12},
		{"beta 0.5 0.5", math.Pi},
		{"erf (-0.25)", -0.2763263901682369},
		{"erf 1e-10", 1.1283791670955126e-10},
		{"cosh 710.0", 1.1169973830808555e+308},
		{"sinh (-710.0)", -1.1169973830808555e+308},
		{"softplus 3.0", 3.048587351573742},
		{"softplus (-50.0)", 1.9287498479639178e-22},
		{"softplus 1000.0", 1000.0},
		{"asin 1", math.Pi / 2},
		{"asin 1.5", nan},
		{"acos (-1)", math.Pi},
		{"acos (-1.5)", nan},
		{"atan inf", math.Pi / 2},
		{"sinh (neg inf)", -inf},
		{"sinh 711", inf},
		{"cosh (neg inf)", inf},
		{"log1p (-1)", -inf},
		{"log1p (-1.5)", nan},
		{"expm1 (neg inf)", -1},
		{"expm1 (neg 0.0)", math.Copysign(0, -1)},
		{"erf (neg inf)", -1},
		{"erf nan", nan},
		{"softplus inf", inf},
		{"softplus (neg inf)", 0},
		{"softplus nan", nan},
		{"relu nan", nan},
		{"relu (neg 0.0)", 0},
		{"relu (neg inf)", 0},
		{"relu inf", inf},
		{"sign nan", nan},
		{"sign (neg 0.0)", 0},
		{"sign (neg inf)", -1},
	} {
		p := instance(t, "def f: R = "+c.body, nil)
		v, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), nil)
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		got := v.R[0]
		if !within(got, c.want, 1e-13) || got == 0 && math.Signbit(got) != math.Signbit(c.want) {
			t.Errorf("%s is %v, want %v", c.body, got, c.want)
		}
	}
}

// psi' of order n+1 is the derivative of psi of order n, and all satisfy
// psi_n(x + 1) = psi_n(x) + (-1)^n n! / x^(n+1).
func TestPolygammaRecurrence(t *testing.T) {
	fact := 1.0
	for n := 0; n <= 6; n++ {
		if n > 0 {
			fact *= float64(n)
		}
		for _, x := range []float64{0.1, 0.5, 1, 1.5, 3.25, 10, 40} {
			step := fact / math.Pow(x, float64(n+1))
			if n%2 == 1 {
				step = -step
			}
			a, b := numeric.Polygamma(n, x+1), numeric.Polygamma(n, x)+step
			if scale := math.Abs(step) + math.Abs(a); math.Abs(a-b) > 1e-12*scale {
				t.Errorf("polygamma %d %v: %v by the recurrence, %v directly", n, x+1, b, a)
			}
		}
	}
}

func TestRationalsSayWhatTheyCannot(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"exp 1", "exp is not a rational operation"},
		{"2 ^ 0.5", "2 ^ 1/2 is not rational"},
		{"1 / 0", "rational division by 0"},
		{"inf", "inf is not a rational number"},
		{"maximum (replicate 0 1.0)", "-inf is not a rational number"},
	} {
		p := instance(t, "def f: R = "+c.body, nil)
		_, err := eval.Interpret(p.Store, p.Root, eval.RationalArrays(), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
	// Squaring x 40 times makes a number of 2^40 bits.
	text := "def f(x0: R): R = "
	for k := range 40 {
		text += fmt.Sprintf("let x%d = x%d * x%d in ", k+1, k, k)
	}
	p := instance(t, text+"x40", nil)
	x := eval.Rationals{}.FromInt(3)
	env := eval.Env[*eval.Value[*big.Rat]]{"x0": {Elem: types.R, R: []*big.Rat{x}}}
	if _, err := eval.Interpret(p.Store, p.Root, eval.RationalArrays(), env); err == nil || !strings.Contains(err.Error(), "grew beyond") {
		t.Errorf("a number of 2^40 bits: %v", err)
	}
}

// Inputs are given by name, those of a tuple one by one.
func TestInputs(t *testing.T) {
	p := instance(t, "def f[n](a: R[n], t: (R, (I, R[n])), b: B): R[n] = if b then a * t.0 else t.1.1 + real t.1.0", map[string]int64{"n": 2})
	var names []string
	for _, in := range p.Inputs {
		for _, l := range in.Leaves() {
			names = append(names, l.Name+": "+l.Type.String())
		}
	}
	if d := cmp.Diff([]string{"a: R[2]", "t.0: R", "t.1.0: I", "t.1.1: R[2]", "b: B"}, names); d != "" {
		t.Error(d)
	}
	var used []string
	for _, op := range p.Store.Inputs(p.Root) {
		used = append(used, op.Name)
	}
	if !slices.IsSorted(used) || len(used) != 5 {
		t.Errorf("the inputs that occur are %v", used)
	}
	env := eval.Env[*eval.Value[float64]]{
		"a": vector(1, 2), "t.0": reals(nil, 10), "t.1.0": {Elem: types.I, N: []int64{5}},
		"t.1.1": vector(7, 8), "b": {Elem: types.B, N: []int64{1}},
	}
	if got := run(t, p, env); got != "[10, 20]" {
		t.Errorf("got %s", got)
	}
	env["b"] = &eval.Value[float64]{Elem: types.B, N: []int64{0}}
	if got := run(t, p, env); got != "[12, 13]" {
		t.Errorf("got %s", got)
	}
	delete(env, "t.1.1")
	if _, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env); err == nil || err.Error() != "no value for input t.1.1: R[2]" {
		t.Errorf("a missing input: %v", err)
	}
}

// A term that is not closed has no value; linear maps have none in this algebra.
func TestNoValue(t *testing.T) {
	s := term.NewStore(term.NewSignature())
	if _, err := eval.Interpret(s, s.Ivar(s.Fresh(), size.Const(3)), eval.FloatArrays(), nil); err == nil {
		t.Error("a free index variable has a value")
	}
	p := instance(t, `def f(a: R[2]): R = lapply (lmap sum @R[2]) a`, nil)
	if _, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), eval.Env[*eval.Value[float64]]{"a": vector(1, 2)}); err == nil {
		t.Error("a linear map has a value as an array")
	}
	sym := s.MustMake(ops.Op{Sym: ops.SymIota, Sizes: []size.Size{size.Var("n")}}, nil, nil, nil)
	if _, err := eval.Interpret(s, sym, eval.FloatArrays(), nil); err == nil {
		t.Error("an array of symbolic size has a value")
	}
	if _, err := eval.Interpret(s, s.Build(size.Var("n"), func(i term.Term) term.Term { return i }), eval.FloatArrays(), nil); err == nil {
		t.Error("a build of symbolic size has a value")
	}
}
