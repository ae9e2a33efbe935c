package hand

// Elementwise is the sum of (a x + y)(x - y) + c, by x and y.
func Elementwise(a, c float64, x, y []float64) Func {
	n := len(x)
	out := make([]float64, 2*n)
	value := func() float64 {
		x, y := x, y
		var s0, s1, s2, s3 float64
		for len(x) >= 4 && len(y) >= 4 {
			s0 += (a*x[0]+y[0])*(x[0]-y[0]) + c
			s1 += (a*x[1]+y[1])*(x[1]-y[1]) + c
			s2 += (a*x[2]+y[2])*(x[2]-y[2]) + c
			s3 += (a*x[3]+y[3])*(x[3]-y[3]) + c
			x, y = x[4:], y[4:]
		}
		for i := range x {
			s0 += (a*x[i]+y[i])*(x[i]-y[i]) + c
		}
		return (s0 + s1) + (s2 + s3)
	}
	grad := func() (float64, []float64) {
		x, y, gx, gy := x, y, out[:n], out[n:]
		var s0, s1, s2, s3 float64
		for len(x) >= 4 && len(y) >= 4 && len(gx) >= 4 && len(gy) >= 4 {
			p, d := a*x[0]+y[0], x[0]-y[0]
			s0 += p*d + c
			gx[0], gy[0] = a*d+p, d-p
			p, d = a*x[1]+y[1], x[1]-y[1]
			s1 += p*d + c
			gx[1], gy[1] = a*d+p, d-p
			p, d = a*x[2]+y[2], x[2]-y[2]
			s2 += p*d + c
			gx[2], gy[2] = a*d+p, d-p
			p, d = a*x[3]+y[3], x[3]-y[3]
			s3 += p*d + c
			gx[3], gy[3] = a*d+p, d-p
			x, y, gx, gy = x[4:], y[4:], gx[4:], gy[4:]
		}
		for i := range x {
			p, d := a*x[i]+y[i], x[i]-y[i]
			s0 += p*d + c
			gx[i], gy[i] = a*d+p, d-p
		}
		return (s0 + s1) + (s2 + s3), out
	}
	return Func{value, grad}
}
