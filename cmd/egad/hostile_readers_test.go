package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// square is a program with one input.
const square = "def f[n](x: R[n]): R = sum (x * x)\n"

// program writes f.egad.
func (c *call) program(parts ...func(w *bufio.Writer)) string { return c.text("f.egad", parts...) }

// onProgram is a family of programs that are given to a command.
func onProgram(args string, text func(c *call, n int) []func(w *bufio.Writer)) func(c *call, n int) {
	return func(c *call, n int) {
		c.program(text(c, n)...)
		c.run(strings.Fields(args)...)
	}
}

// nested is n times before, then middle, then n times after.
func nested(head, before, middle, after string) func(c *call, n int) []func(w *bufio.Writer) {
	return func(c *call, n int) []func(w *bufio.Writer) {
		return []func(w *bufio.Writer){word(head), repeat(n, before), word(strings.ReplaceAll(middle, "#", fmt.Sprint(n))), repeat(n, after), word("\n")}
	}
}

// npy writes a .npy file of n elements of 8 bytes, of which body are there.
func npy(descr, shape string, body int) func(w *bufio.Writer) {
	return func(w *bufio.Writer) {
		head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
		w.WriteString("\x93NUMPY\x01\x00")
		binary.Write(w, binary.LittleEndian, uint16(len(head)))
		w.WriteString(head)
		var b [8]byte
		for i := range body {
			binary.LittleEndian.PutUint64(b[:], 0x3ff0000000000000+uint64(i))
			w.Write(b[:])
		}
	}
}

// endless writes s without an end.
func endless(s string) func(w *bufio.Writer) {
	return func(w *bufio.Writer) {
		for {
			if _, err := io.WriteString(w, s); err != nil {
				return
			}
		}
	}
}

const language = "language l\nsort E\nop c : E\nop f E : E\nop g E E : E\n"

// readerFamilies are texts and data that are large, deep or broken.
var readerFamilies = []family{
	// Literals.
	{"literal, check", 100_000, 1_000_000, onProgram("check f.egad", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"literal, run", 100_000, 1_000_000, onProgram("run f.egad --in x=1", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"literal, grad", 100_000, 1_000_000, onProgram("grad f.egad", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"literal, grad at a point", 100_000, 1_000_000, onProgram("grad f.egad --in x=1", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"literal, stages", 20_000, 1_000_000, onProgram("stages f.egad", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"literal, evaluated", 100_000, 1_000_000, onProgram("run f.egad --eval --in x=1", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"literal of integers, grad", 100_000, 1_000_000, onProgram("grad f.egad", nested("def f(x: R): R = x * real (sum [", "#, ", "1])", "")), ""},
	{"literal of pairs, grad", 20_000, 500_000, onProgram("grad f.egad", nested("def f(x: R): R = x * sum (sum [", "[#, -1.5e3], ", "[1, 1]])", "")), ""},
	{"literal that is a result", 100_000, 1_000_000, onProgram("run f.egad", nested("def f: R[...] = [", "#.5, ", "1]", "")), "expected"},
	{"literal of truth values", 30_000, 1_000_000, onProgram("run f.egad", nested("def f: B = [", "true, false, ", "true][0]", "")), ""},
	{"literal of variables, grad", 500, 16_000, onProgram("grad f.egad", nested("def f(x: R): R = sum [", "x, ", "x]", "")), ""},
	{"literal of expressions, grad", 100, 4_000, onProgram("grad f.egad", nested("def f(x: R): R = sum [", "x * #.5, ", "x]", "")), ""},
	{"arrays, shared, run", 20, 22, onProgram("run f.egad --in x=1", nested("def f(x: R): R = let a0 = x in ", "let a#+1 = [a#, a#] in ", "a#", "[0]")), ""},
	{"arrays, shared, grad", 20, 0, onProgram("grad f.egad", nested("def f(x: R): R = let a0 = x in ", "let a#+1 = [a#, a#] in ", "a#", "[0]")), ""},
	{"arrays, shared, summed", 20, 0, onProgram("grad f.egad", func(c *call, n int) []func(w *bufio.Writer) {
		return []func(w *bufio.Writer){word("def f(x: R): R = let a0 = x in "), repeat(n, "let a#+1 = [a#, a#] in "), repeat(n, "sum ("), word(fmt.Sprintf("a%d", n)), repeat(n, ")")}
	}), ""},
	{"arrays of numbers, shared", 20, 0, onProgram("stages f.egad", nested("def f(x: R): R = let a0 = 1.5 in ", "let a#+1 = [a#, a#] in ", "x * a#", "[0]")), ""},
	{"arrays of different numbers", 20, 0, onProgram("stages f.egad", nested("def f(x: R): R = let a0 = [1.5, 2.5] in ", "let a#+1 = [a#, a# + a#] in ", "x * a#[0]", "[0]")), ""},
	{"one name, grad", 500, 5_000, onProgram("grad f.egad", nested("def f(x: R): R = ", "let x = sin x + 1 in ", "x", "")), ""},
	{"one name, stages", 50, 1_000, onProgram("stages f.egad", nested("def f(x: R): R = ", "let x = sin x + x in ", "x", "")), ""},
	{"one name of arrays, grad", 300, 5_000, onProgram("grad f.egad", nested("def f(x: R[3]): R = sum (", "let x = sin x * x in ", "x)", "")), ""},

	// Programs.
	{"parentheses", 2_000_000, 7_000_000, onProgram("check f.egad", nested("def f(x: R): R = ", "(", "x", ")")), "nested more than 10000 deep"},
	{"brackets", 15_000_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "[", "x", "")), "nested more than 10000 deep"},
	{"pairs of brackets", 7_000_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "[]", "x", "")), "nested more than 10000 deep"},
	{"braces", 1_000_000, 15_000_000, onProgram("check f.egad", nested("def f(x: R): R = ", "{", "x", "")), "expected an expression"},
	{"a file of numbers", 200_000, 2_000_000, onProgram("check f.egad", nested("def f(x: R): R = x * sum [", "1.5, ", "1]", "")), ""},
	{"a file of different numbers", 200_000, 1_500_000, onProgram("check f.egad", nested("def f(x: R): R = x * sum [", "#.5, ", "1]", "")), ""},
	{"a file of arguments", -1, 8_000_000, onProgram("check f.egad", nested("def f(x: R): R = f ", "x ", "x", "")), "more than 5000000 words, numbers and symbols"},
	{"a file of plus signs", 8_000_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "x+", "x", "")), "nested more than 10000 deep"},
	{"mistakes", 500_000, 15_000_000, onProgram("check f.egad", nested("", "$", "", "")), "unexpected character"},
	{"unknown names", 100_000, 1_000_000, onProgram("check f.egad", nested("def f: R = sum [", "n#, ", "1]", "")), "unknown name n0"},
	{"wrong definitions", 20_000, 500_000, onProgram("check f.egad", nested("", "def f#(x: R): B = x\n", "", "")), "and many more"},
	{"definitions", 10_000, 400_000, onProgram("check f.egad", nested("", "def f#(x: R): R = x\n", "", "")), ""},
	{"definitions, the last run", 3_000, 10_000, onProgram("run f.egad --in x=1", nested("def f0(x: R): R = x\n", "def f#+1(x: R): R = f#(x) + 1\n", "", "")), ""},
	{"calls that double", -1, 60, onProgram("grad f.egad", nested("def f0(x: R): R = x\n", "def f#+1(x: R): R = f#(x + 1) + f#(x + 2)\n", "", "")), "more than 200000 calls are inlined"},
	{"calls that double, equal", 60, 0, onProgram("grad f.egad", nested("def f0(x: R): R = x\n", "def f#+1(x: R): R = f#(x) * f#(x)\n", "", "")), ""},
	{"calls within calls that double", -1, 40, onProgram("grad f.egad", nested("def f0(x: R): R = sin x\n", "def f#+1(x: R): R = f#(f#(x))\n", "", "")), "inlined"},
	{"prelude within prelude", 300, 1_000, onProgram("run f.egad --in x=[1,2]", nested("def f(x: R[2]): R[2] = ", "softmax (", "x", ")")), ""},
	{"prelude within prelude, grad", 20, 0, onProgram("grad f.egad", nested("def f(x: R[2]): R = sum ", "(softmax ", "x", ")")), ""},
	{"a name", 10_000_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "x", "y", "")), "unknown name xxx"},
	{"a comment", 15_000_000, 0, onProgram("check f.egad", nested("-- ", "x", "\ndef f: R = 1", "")), ""},
	{"comments of definitions", 700_000, 0, onProgram("check f.egad", nested("", "-- | nothing\n-- here\n", "def f: R = 1", "")), ""},
	{"digits", 10_000_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "9", "", "")), "at most 200 characters"},
	{"an exponent", 1, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "1e999999999", "", "")), "needs more than 256 bits"},
	{"a power", 1, 0, onProgram("check f.egad", nested("def f(x: R): R[2 ^ 999999999] = ", "x", "", "")), "this is not a size"},
	{"parameters", 100_000, 0, onProgram("check f.egad", nested("def f(", "x#: R, ", "x: R): R = x", "")), "at most 1000 sizes and parameters"},
	{"a tuple", 10_000, 1_000_000, onProgram("check f.egad", nested("def f(x: R): R = (", "x, ", "x).0", "")), "a tuple has at most 1000 components"},
	{"axes", 1_000, 1_000_000, onProgram("check f.egad", nested("def f(x: R[", "1, ", "1]): R = 1", "")), "at most 64 axes"},
	{"lambdas", 3_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", `(\y# -> `, "x", ") x")), ""},
	{"lambdas that are too deep", 1_000_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", `(\y# -> `, "x", ") x")), "nested more than 10000 deep"},
	{"conditions", 9_000, 0, onProgram("check f.egad", nested("def f(x: R): R = ", "if x < # then x else ", "x", "")), ""},
	{"conditions, grad", 50, 3_000, onProgram("grad f.egad", nested("def f(x: R): R = ", "if x < # then x * #.5 else ", "x", "")), ""},
	{"an array that does not fit", 1, 0, onProgram("run f.egad", nested("def f: R[1000000, 1000000] = ", "replicate [1000000, 1000000] 1.0", "", "")), "more than the"},
	{"arrays that do not fit together", 40, 0, onProgram("run f.egad --in x=1", nested("def f(x: R): R = let a0 = replicate 10000000 x in ", "let a#+1 = exp a# * x in ", "sum (a0 * a#)", "")), ""},
	{"arrays that do not fit together, evaluated", 10, 0, onProgram("run f.egad --eval --in x=1", nested("def f(x: R): R = let a0 = replicate 100000000 x in ", "let a#+1 = exp a# * x in ", "sum (a0 * a#)", "")), "more than --memory 400MB allows"},
	{"an array that does not fit, kept", 1, 0, onProgram("run f.egad --in x=1", nested("def f(x: R): R = sum (scatter [60000000] (replicate 60000000 x) (\\[i] -> [59999999 - i])", "", "", ")")), "more than the 400 MB that are allowed"},

	// What is no text, or no file.
	{"zero bytes", 15_000_000, 0, onProgram("check f.egad", nested("", "\x00", "", "")), "not a text file"},
	{"bytes that are not UTF-8", 15_000_000, 0, onProgram("check f.egad", nested("", "\xff", "", "")), "not a text file"},
	{"a device", 0, 0, func(c *call, n int) { c.run("check", c.device("/dev/zero")) }, "/dev/zero"},
	{"a device of rules", 0, 0, func(c *call, n int) { c.run("rules", "check", c.device("/dev/zero")) }, "/dev/zero"},
	{"a device of a language", 0, 0, func(c *call, n int) { c.run("saturate", c.device("/dev/zero")) }, "/dev/zero"},
	{"a device of an e-graph", 0, 0, func(c *call, n int) { c.run("extract", c.device("/dev/zero")) }, "/dev/zero"},
	{"endless standard input", 0, 0, func(c *call, n int) {
		c.stdin = func(w io.Writer) { endless("def f: R = 1\n")(bufio.NewWriter(w)) }
		c.run("check", c.device("/dev/stdin"))
	}, "/dev/stdin: more than the"},
	{"a named pipe", 0, 0, func(c *call, n int) {
		c.run("run", c.pipe("f.egad", word(square)), "--in", "x="+c.pipe("x.json", word("[1, 2]")))
	}, ""},
	{"a named pipe of npy", 0, 0, func(c *call, n int) {
		c.run("run", c.pipe("f.egad", word(square)), "--in", "x="+c.pipe("x.npy", npy("<f8", "1000,", 1000)))
	}, ""},
	{"a named pipe of csv", 0, 0, func(c *call, n int) {
		c.run("run", c.pipe("f.egad", word(square)), "--in", "x="+c.pipe("x.csv", word("1,2,3\n")))
	}, ""},
	{"an endless pipe of npy", 0, 0, func(c *call, n int) {
		c.program(word(square))
		c.run("run", "f.egad", "--in", "x="+c.pipe("x.npy", endless("\x93NUMPY\x01\x00")))
	}, "x.npy"},
	{"an endless pipe of JSON", 0, 0, func(c *call, n int) {
		c.program(word(square))
		c.run("run", "f.egad", "--in", "x="+c.pipe("x.json", func(w *bufio.Writer) { w.WriteString("["); endless("1,")(w) }), "--memory", "40MB")
	}, "x.json"},
	{"an endless pipe of CSV", 0, 0, func(c *call, n int) {
		c.program(word(square))
		c.run("run", "f.egad", "--in", "x="+c.pipe("x.csv", endless("1,")), "--memory", "40MB")
	}, "x.csv"},

	// Data.
	{"numbers of JSON", 1_000_000, 10_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", word(`{"x": [`), repeat(n, "#.5, "), word("1]}"))
		c.run("run", "f.egad", "--in", "x.json")
	}, ""},
	{"too many numbers of JSON", 25_000_000, 140_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", word(`{"x": [`), repeat(n, "1,"), word("1]}"))
		c.run("run", "f.egad", "--in", "x.json")
	}, "x.json"},
	{"a value of JSON in a flag", 10_000, 0, func(c *call, n int) {
		c.program(word(square))
		c.run("run", "f.egad", "--in", "x=["+strings.Repeat("1.5, ", n)+"1]")
	}, ""},
	{"JSON that is deep", 5_000_000, 50_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", repeat(n, "["), repeat(n, "]"))
		c.run("run", "f.egad", "--in", "x=x.json")
	}, "the nesting is deeper than 16"},
	{"JSON of objects", 1_000_000, 0, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", repeat(n, `{"x":`))
		c.run("run", "f.egad", "--in", "x=x.json")
	}, "deeper than 16"},
	{"ragged JSON", 1_000_000, 3_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", word("["), repeat(n, "[1],[],"), word("1]"))
		c.run("run", "f.egad", "--in", "x=x.json")
	}, "x.json:1:"},
	{"empty lists of JSON", 1_000_000, 5_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", word("["), repeat(n, "[],"), word("[]]"))
		c.run("run", "f.egad", "--in", "x=x.json")
	}, "x.json:1:"},
	{"a string of JSON", 10_000_000, 100_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", word(`"`), repeat(n, "a"), word(`"`))
		c.run("run", "f.egad", "--in", "x=x.json")
	}, "x.json:1:"},
	{"names of JSON", 100_000, 0, func(c *call, n int) {
		c.program(word(square))
		c.text("x.json", word(`{`), repeat(n, `"x#":1,`), word(`"x": [1]}`))
		c.run("run", "f.egad", "--in", "x.json")
	}, "more than 65536 inputs"},
	{"rows of CSV", 300_000, 10_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.csv", repeat(n, "#.5\n"))
		c.run("run", "f.egad", "--in", "x=x.csv")
	}, ""},
	{"columns of CSV", 300_000, 3_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.csv", repeat(n, "#.5,"), word("1\n"))
		c.run("run", "f.egad", "--in", "x=x.csv")
	}, ""},
	{"a cell of CSV", 10_000_000, 60_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.csv", repeat(n, "1"), word("\n"))
		c.run("run", "f.egad", "--in", "x=x.csv")
	}, "x.csv:1"},
	{"a quoted cell of CSV", 5_000_000, 20_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.csv", word(`"`), repeat(n, "1\n"), word("\n"))
		c.run("run", "f.egad", "--in", "x=x.csv")
	}, "x.csv:"},
	{"lines of CSV that are empty", 3_000_000, 10_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.csv", repeat(n, "\n"))
		c.run("run", "f.egad", "--in", "x=x.csv")
	}, "x.csv: the table has no rows"},
	{"numbers of npy", 1_000_000, 10_000_000, func(c *call, n int) {
		c.program(word(square))
		c.text("x.npy", npy("<f8", fmt.Sprintf("%d,", n), n))
		c.run("run", "f.egad", "--in", "x=x.npy")
	}, ""},
	{"too many numbers of npy", 100_000_000, 0, func(c *call, n int) {
		c.program(word(square))
		c.text("x.npy", npy("<f8", fmt.Sprintf("%d,", n), 0))
		if err := os.Truncate(filepath.Join(c.dir, "x.npy"), int64(8*n+60)); err != nil {
			c.t.Fatal(err)
		}
		c.run("run", "f.egad", "--in", "x=x.npy")
	}, "x.npy"},
	{"axes of npy", 10_000, 0, func(c *call, n int) {
		c.program(word(square))
		c.text("x.npy", npy("<f8", strings.TrimSuffix(strings.Repeat("1, ", n), ", "), 1))
		c.run("run", "f.egad", "--in", "x=x.npy")
	}, "so that an array of rank 1 is expected"},

	// Rules, languages, e-graphs.
	{"rules in parentheses", 2_000_000, 0, func(c *call, n int) {
		c.text("r.rules", word("ruleset s\nrule r exact\n  "), repeat(n, "("), word("a"), repeat(n, ")"), word(" => a\n"))
		c.run("rules", "check", "r.rules")
	}, "nested more than 10000 deep"},
	{"rules", 20, 500, func(c *call, n int) {
		c.text("r.rules", word("ruleset s\n"), repeat(n, "rule r# exact\n  a + b => b + a\n"))
		c.run("check", "r.rules")
	}, ""},
	{"rules, listed", 10_000, 80_000, func(c *call, n int) {
		c.text("r.rules", word("ruleset s\n"), repeat(n, "rule r# exact\n  a + b => b + a\n"))
		c.run("rules", "list", "r.rules")
	}, ""},
	{"rules that are wrong", 30_000, 100_000, func(c *call, n int) {
		c.text("r.rules", word("ruleset s\n"), repeat(n, "rule r# exact\n  a + => b + a\n"))
		c.run("rules", "check", "r.rules")
	}, "and many more"},
	{"brackets of rules", 15_000_000, 0, func(c *call, n int) {
		c.text("r.rules", word("ruleset s\nrule r exact\n  "), repeat(n, "["))
		c.run("check", "r.rules")
	}, "nested more than 10000 deep"},
	{"a language in parentheses", 2_000_000, 7_000_000, func(c *call, n int) {
		c.text("l.rules", word(language), word("ruleset s\nrule r "), repeat(n, "("), repeat(n, ")"), word(" => c\n"))
		c.run("check", "l.rules")
	}, "l.rules:"},
	{"a term of a language that is deep", 3_000, 0, func(c *call, n int) {
		c.text("l.rules", word(language), word("ruleset s\nrule r "), repeat(n, "(f "), word("c"), repeat(n, ")"), word(" => c\n"))
		c.run("check", "l.rules")
	}, ""},
	{"brackets of a language", 15_000_000, 0, func(c *call, n int) {
		c.text("l.rules", word(language), word("ruleset s\nrule r "), repeat(n, "["))
		c.run("check", "l.rules")
	}, "l.rules:"},
	{"words of a language", 500_000, 7_000_000, func(c *call, n int) {
		c.text("l.rules", word(language), word("ruleset s\nrule r "), repeat(n, "c "))
		c.run("check", "l.rules")
	}, "l.rules:"},
	{"operators of a language", 10_000, 100_000, func(c *call, n int) {
		c.text("l.rules", word(language), repeat(n, "op o# E : E\n"))
		c.run("check", "l.rules")
	}, ""},
	{"rules of a language", 10_000, 100_000, func(c *call, n int) {
		c.text("l.rules", word(language), word("ruleset s\n"), repeat(n, "rule r# f a => a\n"))
		c.run("check", "l.rules")
	}, ""},
	{"mistakes of a language", 10_000, 100_000, func(c *call, n int) {
		c.text("l.rules", word(language), word("ruleset s\n"), repeat(n, "rule r# (h ?a) => ?b\n"))
		c.run("check", "l.rules")
	}, "more"},
	{"nodes of an e-graph", 20_000, 200_000, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": {"n": {"op": "c", "eclass": "c0", "children": []}`), repeat(n, `, "n#": {"op": "f", "eclass": "c#+1", "children": ["n"]}`), word(`}, "root_eclasses": ["c1"]}`))
		c.run("extract", "g.json")
	}, ""},
	{"an e-graph of too many objects", 5_000_000, 0, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": `), repeat(n, `{"a":`))
		c.run("extract", "g.json")
	}, "more than --memory 400MB allows"},
	{"too many nodes of an e-graph", 500_000, 1_000_000, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": {"n": {"op": "c", "eclass": "c0", "children": []}`), repeat(n, `, "n#": {"op": "f", "eclass": "c#+1", "children": ["n"]}`), word(`}, "root_eclasses": ["c1"]}`))
		c.run("extract", "g.json")
	}, "more than --memory 400MB allows"},
	{"children of an e-graph", 300_000, 5_000_000, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": {"n": {"op": "c", "eclass": "c0", "children": []}, "m": {"op": "f", "eclass": "c1", "children": [`), repeat(n, `"n",`), word(`"n"]}}, "root_eclasses": ["c1"]}`))
		c.run("extract", "g.json")
	}, ""},
	{"an e-graph that is deep", 5_000_000, 0, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": `), repeat(n, `[`))
		c.run("extract", "g.json")
	}, "g.json:1:"},
	{"an e-graph of objects", 300_000, 0, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": `), repeat(n, `{"a":`))
		c.run("extract", "g.json")
	}, "g.json:1:"},
	{"mistakes of an e-graph", 50_000, 1_000_000, func(c *call, n int) {
		c.text("g.json", word(`{"nodes": {"n": 1`), repeat(n, `, "n#": 1`), word("}}"))
		c.run("extract", "g.json")
	}, "more"},
}
