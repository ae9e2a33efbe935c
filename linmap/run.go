package linmap

import (
	"time"

	"egad/extract"
	"egad/rules"
	"egad/term"
)

// Transpose pushes transposition to the leaves of the linear maps in t, by the
// schedule transpose, in the given way.
func Transpose(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	return way.Run(lib, "transpose", s, t, names, extract.How{Time: within})
}

// Apply carries out the applications of linear maps in t, transposing where
// needed, by the schedule apply. No linear map is left.
func Apply(lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	return ApplyBy(extract.Through, lib, s, t, names, within)
}

// ApplyBy is [Apply] in the given way.
func ApplyBy(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, within time.Duration) (*extract.Result, *extract.Run, error) {
	x, r, err := way.Run(lib, "apply", s, t, names, extract.How{Time: within})
	if err != nil {
		return nil, r, err
	}
	err = term.Guard(func() error {
		x.Root, x.Names = s.LetThrough(x.Root, x.Names)
		return nil
	})
	return x, r, err
}

// Simplify makes linear maps cheaper by the schedule laws, in the given way; with exact, only by rules
// that keep every float64 as it is.
func Simplify(way extract.Way, lib *rules.Library, s *term.Store, t term.Term, names map[uint32]term.Hint, exact bool, within time.Duration) (*extract.Result, *extract.Run, error) {
	return way.Run(lib, "laws", s, t, names, extract.How{Exact: exact, Time: within})
}
