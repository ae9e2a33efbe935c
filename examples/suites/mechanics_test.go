package suites

import (
	"math"
	"math/cmplx"
)

// laplace is the determinant by cofactors of the first row.
func laplace(a []vec) complex128 {
	if len(a) == 0 {
		return 1
	}
	d, sign := complex128(0), complex128(1)
	for j := range a {
		var minor []vec
		for _, r := range a[1:] {
			minor = append(minor, append(append(vec{}, r[:j]...), r[j+1:]...))
		}
		d += sign * a[0][j] * laplace(minor)
		sign = -sign
	}
	return d
}

func sparse(x inputs) vec {
	out := make(vec, 5)
	for k, v := range x["value"].r {
		out[x["row"].n[k]] += v * x["x"].r[x["col"].n[k]]
	}
	return out
}

func rank(x inputs) vec {
	n := 5
	out, r := make(vec, n), make(vec, n)
	for k, f := range x["from"].n {
		out[f] += x["weight"].r[k]
	}
	for i := range r {
		r[i] = complex(1/float64(n), 0)
	}
	d := x["damp"].r[0]
	for range 12 {
		next := make(vec, n)
		for i := range next {
			next[i] = (1 - d) / complex(float64(n), 0)
		}
		for k, f := range x["from"].n {
			next[x["to"].n[k]] += d * x["weight"].r[k] / out[f] * r[f]
		}
		r = next
	}
	return r
}

func fall(w complex128) complex128 {
	x, y, u, v := complex128(0), complex128(8), complex128(0.75), complex128(0)
	for {
		fx, fy := complex128(0), complex128(0)
		for _, c := range [][2]complex128{{10, 10 - w}, {10, 0}} {
			dx, dy := x-c[0], y-c[1]
			r := cmplx.Sqrt(dx*dx + dy*dy)
			fx, fy = fx+dx/(r*r*r), fy+dy/(r*r*r)
		}
		if real(y+0.1*v) <= 0 {
			x -= y / v * u
			return x * x
		}
		x, y, u, v = x+0.1*u, y+0.1*v, u+0.1*fx, v+0.1*fy
	}
}

// saddle is the value at the ends of the descents, each 60 steps at most.
func saddle(x inputs) vec {
	c, start := x["c"].r, x["start"].r
	f := func(x, y vec) complex128 {
		return apart(x, c) - apart(y, scale(0.5, x)) + inner(c, y)
	}
	// With slope g, and best y by x where the slope of y vanishes along the way.
	descend := func(at vec, g func(vec) vec) vec {
		for range 60 {
			if s := g(at); math.Hypot(real(s[0]), real(s[1])) > 1e-5 {
				at = add(at, scale(-0.2, s))
			}
		}
		return at
	}
	best := func(x vec) vec {
		return descend(start, func(y vec) vec { return add(scale(2, add(y, scale(-0.5, x))), scale(-1, c)) })
	}
	end := descend(start, func(x vec) vec {
		// y moves with x, as the steps do: y' = y - 0.2 (2 (y - x / 2) - c).
		y, dy := start, complex128(0)
		for range 60 {
			s := add(scale(2, add(y, scale(-0.5, x))), scale(-1, c))
			if math.Hypot(real(s[0]), real(s[1])) > 1e-5 {
				y, dy = add(y, scale(-0.2, s)), dy-0.2*(2*dy-1)
			}
		}
		miss := add(y, scale(-0.5, x))
		g := scale(2, add(x, scale(-1, c)))
		return add(add(g, scale(-2*(dy-0.5), miss)), scale(dy, c))
	})
	return scalar(f(end, best(end)))
}

func heat(x inputs) vec {
	u := append(append(vec{0}, x["u"].r...), 0)
	for range 40 {
		next := make(vec, len(u))
		for i := 1; i+1 < len(u); i++ {
			next[i] = u[i] + x["k"].r[0]*(u[i+1]-2*u[i]+u[i-1])
		}
		u = next
	}
	return scalar(apart(u[1:len(u)-1], x["seen"].r))
}

// turn is x turned around an axis, by Rodrigues.
func turn(axis, x vec) vec {
	angle := cmplx.Sqrt(inner(axis, axis))
	if angle == 0 {
		return add(x, cross(axis, x))
	}
	w := scale(1/angle, axis)
	out := add(scale(cmplx.Cos(angle), x), scale(cmplx.Sin(angle), cross(w, x)))
	return add(out, scale(inner(w, x)*(1-cmplx.Cos(angle)), w))
}

func bundle(x inputs) (errors, weights vec) {
	for i, w := range x["w"].r {
		cam, p := x["cams"].rows()[x["obs"].n[2*i]], x["points"].rows()[x["obs"].n[2*i+1]]
		y := turn(cam[:3], add(p, scale(-1, cam[3:6])))
		u, v := y[0]/y[2], y[1]/y[2]
		r := u*u + v*v
		l := cam[6] * (1 + cam[9]*r + cam[10]*r*r)
		errors = append(errors, w*(l*u+cam[7]-x["seen"].r[2*i]), w*(l*v+cam[8]-x["seen"].r[2*i+1]))
		weights = append(weights, 1-w*w)
	}
	return errors, weights
}

var bundleSizes = map[string]int64{"n": 3, "m": 4, "p": 6}

var bundleIn = inputs{"cams": made(1, 3, 11), "points": made(2, 4, 3), "w": made(3, 6), "obs": {shape: []int{6, 2}, n: []int64{0, 0, 0, 1, 1, 1, 1, 3, 2, 2, 2, 3}}, "seen": made(4, 6, 2)}

// skin poses the hand bone by bone, and each vertex by itself.
func skin(x inputs) []vec {
	theta := x["theta"].r
	spin := func(axis int, angle complex128) []vec {
		c, s := cmplx.Cos(angle), cmplx.Sin(angle)
		m := []vec{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
		i, j := (axis+1)%3, (axis+2)%3
		m[i][i], m[j][j], m[i][j], m[j][i] = c, c, -s, s
		return m
	}
	bones := make([][]vec, 22)
	for b := range bones {
		var a [3]complex128
		if 1 <= b && b <= 20 {
			f := theta[6+(b-1)/4*4:]
			switch (b - 1) % 4 {
			case 1:
				a = [3]complex128{f[0], f[1]}
			case 2, 3:
				a[0] = f[(b-1)%4]
			}
		}
		bones[b] = matmul(x["base"].split()[b].rows(), matmul(spin(2, a[2]), matmul(spin(1, a[1]), spin(0, a[0]))))
		if p := x["parent"].n[b]; p >= 0 {
			bones[b] = matmul(bones[p], bones[b])
		}
	}
	var out []vec
	for i, r := range x["rest"].rows() {
		p := make(vec, 4)
		for b, w := range x["weights"].rows()[i] {
			p = add(p, scale(w, matvec(bones[b], matvec(x["inverse"].split()[b].rows(), r))))
		}
		out = append(out, add(turn(theta[:3], p[:3]), theta[3:6]))
	}
	return out
}

func hand(x inputs) vec {
	var out vec
	s := skin(x)
	for i, r := range x["seen"].rows() {
		out = append(out, add(r, scale(-1, s[x["at"].n[i]]))...)
	}
	return out
}

func handWithin(x inputs) vec {
	var out vec
	s := skin(x)
	for i, r := range x["seen"].rows() {
		k, u := x["triangles"].n[3*x["at"].n[i]:], x["u"].rows()[i]
		p := add(add(scale(u[0], s[k[0]]), scale(u[1], s[k[1]])), scale(1-u[0]-u[1], s[k[2]]))
		out = append(out, add(r, scale(-1, p))...)
	}
	return out
}

var handIn = inputs{"theta": made(1, 26), "base": made(2, 22, 4, 4), "inverse": made(3, 22, 4, 4), "weights": made(4, 6, 22), "rest": made(5, 6, 4),
	"parent": whole(-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 0, 17, 18, 19, 0), "seen": made(6, 5, 3), "at": whole(0, 2, 1, 2, 1), "u": made(7, 5, 2),
	"triangles": {shape: []int{3, 3}, n: []int64{0, 1, 2, 3, 4, 5, 1, 3, 5}}}
