// Package fuse chooses which kernels share loops, and which arrays are in memory for that.
//
// [Fuse] joins kernels to passes and passes to groups that are run in blocks of rows. Before it,
// [Recompute] has elements be computed where they are read, and [Mask] and [Ragged] have loops ask of
// indices what tells where there is anything. Each kernel is a member of a pass, whose statements a
// weaver writes.
package fuse
