// Package steps makes kernels of loops whose steps are programs: [Carry] has a loop carry states of a few
// numbers, and [Joined] makes the kernels of short steps the body of one loop.
package steps
