// Package estimate tells how long the kernels of a program take, about, and how much work they do.
package estimate
