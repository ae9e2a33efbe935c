package kernel

// Names are given to what passes make.
type Names interface {
	Fresh() string           // for an array that has none
	Like(name string) string // for one that takes the place of another
	Loops(nest []*Loop)      // to loops that have none
}

// Improve has kernels that were read one for each array take less time: loops are shared, arrays
// are computed where they are read, masks are taken out, and so on. If they are the steps of a loop,
// of is that, and they become its step.
func (p *Program) Improve(of *Steps, in Sizes, by Names) {
	if !in.apart {
		p.unread()
		p.recompute(in)
		p.masked()
		p.guarded()
		p.ragged(in.weights.own)
	}
	if of != nil {
		of.Step = p
		of.split(by.Fresh)
		of.copied(in.weights)
		in.alone = of.changed()
	}
	p.fuse(in, by)
	p.twinned()
	p.chosen()
	p.unsigned()
	p.arrange(in, of.overlaid())
	p.pad(in, by)
	if of != nil {
		of.readFirst()
	}
	b := p.bound(of.overlaid())
	p.vanishing(b)
	p.idle(b, in.weights)
	if !in.apart {
		p.carried(by)
	}
	of.less()
}
