package term

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"egad/term/ast"
	"egad/term/ops"
)

// NameSet gives out names that differ. The zero value has given out none.
type NameSet struct {
	used map[string]bool
	from map[string]int // by the name without its number: those from 2 to below are used
}

// Has reports whether a name is in use.
func (s *NameSet) Has(name string) bool { return s.used[name] }

// Clone returns a set of its own that begins like s.
func (s *NameSet) Clone() NameSet { return NameSet{maps.Clone(s.used), maps.Clone(s.from)} }

// Use takes names for something else.
func (s *NameSet) Use(names ...string) {
	if s.used == nil {
		s.used, s.from = make(map[string]bool), make(map[string]int)
	}
	for _, n := range names {
		s.used[n] = true
	}
}

// Like takes a name that is not in use: that of the hint, or the hint with the
// first number from 2 on.
func (s *NameSet) Like(hint string) string {
	name, base := hint, trimNumber(hint)
	for s.used[name] {
		k := max(2, s.from[base])
		name = base + strconv.Itoa(k)
		s.from[base] = k + 1
	}
	s.Use(name)
	return name
}

// variable takes a name for a bound variable, one of the preferred ones if they are not in use.
func (s *NameSet) variable(v ops.VarType, preferred ...string) string {
	candidates := []string{"s", "t", "u", "v"}
	if v.Type == nil {
		candidates = slices.Concat(preferred, []string{"i", "j", "k", "l", "p", "q", "r"})
	}
	for c := 2; ; c++ {
		if free := slices.IndexFunc(candidates, func(c string) bool { return !s.Has(c) }); free >= 0 {
			s.Use(candidates[free])
			return candidates[free]
		}
		candidates = []string{fmt.Sprintf("%s%d", trimNumber(candidates[0]), c)}
	}
}

// Release gives back a name.
func (s *NameSet) Release(name string) {
	delete(s.used, name)
	base := trimNumber(name)
	if k, err := strconv.Atoi(name[len(base):]); err == nil && k < s.from[base] {
		s.from[base] = k
	}
}

// Words returns the words of the language, and the names of operators.
func (g *Signature) Words() NameSet {
	var used NameSet
	used.Use("o", "where", "with", "agreed", "nabla", "inf", "nan", "size", "R", "I", "B", ops.Lmap)
	for k := range ast.Keywords() {
		used.Use(k)
	}
	for _, o := range g.All() {
		used.Use(o.Name)
	}
	return used
}

func trimNumber(name string) string { return strings.TrimRight(name, "0123456789") }
