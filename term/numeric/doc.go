// Package numeric has the numbers that terms speak of: [Num] is a literal, exact until a program
// runs; [Interval] says between what floats are, and its methods bound what operations make of
// them. Beside them are functions of reals that package math lacks, as [Polygamma], or loses a
// value of on some machines, as [Exp].
package numeric
