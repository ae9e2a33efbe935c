// Package strength reduces the strength of kernels for machine code: quotients by products with inverses,
// powers by a few products, checks of rows by one index that is in range, and products of what is 0
// whatever the data by nothing. [Reduce] does it all.
package strength
