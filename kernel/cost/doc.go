// Package cost has the weights by which estimates count: nanoseconds of operations, of bytes by the
// cache that they are in, and of what begins. Those of egad are in the file kernel.weights.
//
// Package [egad/kernel/schedule] estimates by them how long loops take.
package cost
