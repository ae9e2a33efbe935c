// Package kernel is the language between extraction and the machine: loop nests
// over arrays, with scalar bodies in single-assignment form.
//
// Here are its statements and values, what makes, rewrites and prints them, and what can be told of them
// alone. The packages below say what is done with them:
//
//   - [egad/kernel/lower] reads kernels from programs, one for each array, and has them improved.
//   - [egad/kernel/improve] has them take less time: by [egad/kernel/fuse] loops are shared, by
//     [egad/kernel/inplace] states of loops are changed where they lie, and by [egad/kernel/steps] loops of
//     steps are loops of kernels.
//   - [egad/kernel/sparsity] finds what need not be done, [egad/kernel/plan] where arrays lie, and
//     [egad/kernel/estimate] how long all takes, about, by the weights of [egad/kernel/cost].
//   - [egad/kernel/strength] and [egad/kernel/schedule] say what machine code does in the place of a kernel, and how.
//   - [egad/kernel/machine] runs kernels, block by block or as machine code, which [egad/kernel/native] writes.
package kernel
