package kernel

import "egad/kernel/wasm"

// checked writes a run of a loop.
func (e *emitter) checked(l *Loop, in *checkedFirst) {
	e.body(in.first, l)
	write := func(of *Loop) {
		e.merge(of.Body, nil, of)
		e.body(of.Body, l)
		e.leave(of)
		e.forget(of.Body)
	}
	var where func(rows []rowOf)
	where = func(rows []rowOf) {
		if len(rows) == 0 {
			for i, x := range in.is {
				e.regs[x] = e.regs[in.rows[i].index]
				e.indexed(x)
			}
			write(in.all)
			e.f.Break(uint32(len(in.rows)))
			return
		}
		e.push(rows[0].index, place{})
		e.f.I64(int64(rows[0].n))
		e.f.Op(wasm.I64LtU)
		e.f.If(func() { where(rows[1:]) })
	}
	e.f.Block(func() {
		where(in.rows)
		write(in.other)
	})
	e.forget(in.first)
}
