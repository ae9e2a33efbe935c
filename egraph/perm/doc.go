// Package perm holds groups of permutations of slots.
//
// The value of an e-class may depend on variables, which it has in numbered slots.
// Where a + b and b + a are one, the slots of a and b may be exchanged: that is a
// symmetry, a permutation of the slots, and all symmetries of an e-class are a
// group. [Groups] holds such groups, each by a stabiliser chain (Schreier and Sims),
// so that a group of 40! elements takes some hundred permutations, and asking
// whether it has one takes 40 steps.
//
//	v := perm.NewVecs()
//	s := perm.NewGroups(v, late)
//	id, _ := s.Extend(0, v.Intern([]perm.Pos{1, 2, 0})) // turns of three slots
//	s.Get(id).Order()                                         // 3
//	s.Has(id, []perm.Pos{2, 0, 1})                            // true
//	s.Has(id, []perm.Pos{1, 0, 2})                            // false
package perm
