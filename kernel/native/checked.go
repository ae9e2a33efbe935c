package native

import (
	"egad/kernel"
	"egad/kernel/wasm"
)

// checked writes a run of a loop.
func (e *emitter) checked(l *kernel.Loop, in *kernel.CheckedFirst) {
	e.body(in.First, l)
	write := func(of *kernel.Loop) {
		e.merge(of.Body, nil, of)
		e.body(of.Body, l)
		e.leave(of)
		e.forget(of.Body)
	}
	var where func(rows []kernel.RowOf)
	where = func(rows []kernel.RowOf) {
		if len(rows) == 0 {
			for i, x := range in.Is {
				e.regs[x] = e.regs[in.Rows[i].Index]
				e.indexed(x)
			}
			write(in.All)
			e.f.Break(uint32(len(in.Rows)))
			return
		}
		e.push(rows[0].Index, place{})
		e.f.I64(int64(rows[0].N))
		e.f.Op(wasm.I64LtU)
		e.f.If(func() { where(rows[1:]) })
	}
	e.f.Block(func() {
		where(in.Rows)
		write(in.Other)
	})
	e.forget(in.First)
}
