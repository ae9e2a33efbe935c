// Package vecmath writes functions of reals as WebAssembly, for both lanes of a vector. Their errors are
// at most 2 units in the last place. What they cannot do they leave to the host, lane by lane.
//
// Exponential: Cody and Waite's reduction, and a polynomial near to the best one of
// its degree. Logarithm, sine and cosine: the polynomials of Sun's fdlibm.
package vecmath
