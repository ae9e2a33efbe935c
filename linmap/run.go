package linmap

import (
	"time"

	"egad/extract"
	"egad/rules"
	"egad/term"
	"egad/term/overflow"
)

// Transpose pushes transposition to the leaves of the linear maps in t, by the
// schedule transpose, in the given way.
func Transpose(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	return way.Run(lib, "transpose", s, t, names, extract.How{Time: within})
}

// Apply carries out the applications of linear maps in t, transposing where
// needed, by the schedule apply. No linear map is left.
func Apply(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	x, _, run, err := ApplyBy(extract.Through, lib, s, t, names, extract.How{Time: within})
	return x, run, err
}

// Across is the rule set that says where changes arrive at elements that are made of others.
// Without it they are taken to arrive there.
const Across = "linear_reached_across"

// ApplyBy is [Apply] in the given way. Let reports whether there are maps of which no rule says
// what they hold back, so that it was let through.
func ApplyBy(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, how extract.How) (x *extract.Result, let bool, run *extract.Run, err error) {
	x, run, err = way.Run(lib, "apply", s, t, names, how)
	if err != nil {
		return nil, false, run, err
	}
	err = overflow.Guard(func() error {
		before := x.Root
		x.Root, x.Names = s.LetThrough(x.Root, x.Names)
		let = !x.Root.Equal(before)
		return nil
	})
	return x, let, run, err
}

// Simplify makes linear maps cheaper by the schedule laws, in the given way; with exact, only by rules
// that keep every float64 as it is.
func Simplify(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, exact bool, within time.Duration) (*extract.Result, *extract.Run, error) {
	return way.Run(lib, "laws", s, t, names, extract.How{Exact: exact, Time: within})
}
