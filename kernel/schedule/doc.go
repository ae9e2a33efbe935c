// Package schedule chooses how machine code runs kernels, by estimates of the time of all choices.
//
// A [Scheduler] makes of a kernel pieces, as the interior of a nest, where no index is checked, and its edges,
// and for each a [Schedule]: in which order loops are nested, which of them run in vectors or in lock step,
// what lies in panels, what is asked first. [Partial] makes parts of long folds and blocks, which
// threads share. [Time] and [Cost] are the estimates by which other packages choose too.
package schedule
