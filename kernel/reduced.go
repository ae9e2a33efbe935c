package kernel

// reduced is a kernel that does the same with less to ask and to divide in its loops.
func reduced(k *Kernel, exact bool) *Kernel {
	return k.nonzero(exact).strict(exact).powered(exact).quotients().clamped()
}
