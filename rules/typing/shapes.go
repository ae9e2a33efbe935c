package typing

import (
	"fmt"
	"strings"

	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// shapes solves equations between shapes of unknown rank. A shape is a list of
// sizes. One whose name ends in three dots stands for many, as in R[k, sh...]; how
// many is the size "len sh". In a product it stands for the product of them.
//
// What an equation says that cannot be solved yet waits until more is known.
type shapes struct {
	sizes map[string]size.Size   // solved sizes and lengths, in terms of open ones
	lists map[string][]size.Size // solved lists of sizes
	parts map[string]*part       // lists that are computed from others, by their names
	perms map[string][]move      // solved permutations
	least []size.Size            // lengths that are not negative
	later [][2][]size.Size       // equations between lists that wait
	open  [][2][]size.Size       // those that were not solved
	equal [][2][]size.Size       // shapes with equally many elements
	// alikePerms are the permutations that a condition makes equal.
	alikePerms [][2][]move
	// composed are compositions by what their length is called, of which it is known only
	// where the permutations are.
	composed map[string][]move
	// stuck are differences of lengths that would have to be compared.
	stuck []size.Size
	// rigid says that nothing more may be assumed: equations are decided.
	rigid bool
	count int
	// typing is whose sizes these are, nil if nothing in them depends on a place.
	typing *unifier
}

// part is a list computed from another: permuted if there are moves, else its first
// sizes, or those behind them.
type part struct {
	moves []move
	n     size.Size
	drop  bool
	of    []size.Size
}

const many = "..."

func newShapes() shapes {
	return shapes{sizes: make(map[string]size.Size), lists: make(map[string][]size.Size), parts: make(map[string]*part), perms: make(map[string][]move), composed: make(map[string][]move)}
}

func list(name string) []size.Size     { return []size.Size{size.Var(name + many)} }
func lengthOf(name string) size.Size   { return size.Var("len " + strings.TrimSuffix(name, many)) }
func number(n int) size.Size           { return size.Const(int64(n)) }
func (n *shapes) fresh() string        { n.count++; return fmt.Sprintf("_%d", n.count) }
func (n *shapes) freshSize() size.Size { return size.Var(n.fresh()) }

// listName is the name of a size that stands for many.
func listName(s size.Size) (string, bool) {
	name, ok := s.Var()
	return name, ok && strings.HasSuffix(name, many)
}

// norm puts in what is known of a list.
func (n *shapes) norm(ss []size.Size) []size.Size {
	var out []size.Size
	for _, s := range ss {
		name, is := listName(s)
		if !is {
			out = append(out, n.size(s))
			continue
		}
		if known, ok := n.lists[name]; ok {
			out = append(out, n.norm(known)...)
			continue
		}
		if known, ok := n.elsewhere(name); ok {
			out = append(out, n.norm(known)...)
			continue
		}
		if p := n.parts[name]; p != nil {
			switch {
			case p.moves != nil:
				out = append(out, n.permute(p.moves, p.of)...)
			case p.drop:
				_, rest := n.split(p.of, p.n)
				out = append(out, rest...)
			default:
				front, _ := n.split(p.of, p.n)
				out = append(out, front...)
			}
			continue
		}
		if k, ok := n.size(lengthOf(name)).Const(); ok && 0 <= k && k <= ops.MaxRank {
			var sizes []size.Size
			for range k {
				sizes = append(sizes, size.Var(n.freshLike(name)))
			}
			n.lists[name] = sizes
			n.must(n.agree(name))
			out = append(out, sizes...)
			continue
		}
		out = append(out, s)
	}
	return n.whole(out)
}

// Rank returns the number of sizes in a list.
func (n *shapes) Rank(ss []size.Size) size.Size {
	sum := number(0)
	for _, s := range n.norm(ss) {
		name, is := listName(s)
		p := n.parts[name]
		switch {
		case !is:
			sum = sum.Add(number(1))
		case p == nil:
			sum = sum.Add(n.size(lengthOf(name)))
		case p.moves != nil:
			sum = sum.Add(n.Rank(p.of))
		case p.drop:
			sum = sum.Add(n.Rank(p.of)).Sub(n.size(p.n))
		default:
			sum = sum.Add(n.size(p.n))
		}
	}
	return sum
}

// listText prints a list of sizes as an operand.
func listText(ss []size.Size) string {
	if len(ss) == 1 {
		if name, ok := listName(ss[0]); ok {
			return strings.TrimSuffix(name, many)
		}
	}
	return types.ShapeText(ss)
}

// Split takes the first n axes off a shape; it asks that there are so many.
func (n *shapes) Split(shape []size.Size, at size.Size) (front, rest []size.Size, ok bool) {
	if !n.demand(n.Rank(shape).Sub(at)) {
		return nil, nil, false
	}
	front, rest = n.split(shape, at)
	return n.apart(front, at), rest, true
}

// apart is a list of so many sizes, if that is a number, as that many.
func (n *shapes) apart(ss []size.Size, many size.Size) []size.Size {
	k, ok := n.size(many).Const()
	if !ok || int64(len(ss)) == k || k > ops.MaxRank {
		return ss
	}
	out := make([]size.Size, k)
	for i := range out {
		out[i] = size.Var(n.fresh())
	}
	if ok := n.Shapes(ss, out); n.rigid && !ok {
		panic(undecided{"in which list a size stands, of several of which one has it"})
	} else {
		n.must(ok)
	}
	return out
}

// Some asks that there is one at least.
func (n *shapes) Some(count size.Size) bool { return n.demand(count.Sub(number(1))) }
