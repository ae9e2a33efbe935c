// Package fun is the functional language: functions as values, sums, pairs, lets and
// arrays, by value. Its core is the calculus of Fig. 1 of "Efficient CHAD" (Smeding and
// Vákár) and of Fig. 2 of Krawiec et al., with De Bruijn variables: terms ([Term]) are made
// of forms ([Form]), each of which says in one place how it is typed, evaluated and
// printed. What a transformation makes is written in the same terms, with forms of its own
// beside those of the core, and is checked ([Check]), printed ([Print]) and evaluated
// ([Machine]) by the same code.
package fun
