package kernel

import "slices"

// Panel is memory for values that a fold inside a lane loop needs again and again: they
// are computed before, once, and lie in the order in which they are needed.
type Panel struct {
	Before *Loop           // where it is filled
	Narrow bool            // the values are the same for all lanes: there are two copies of each
	Lane   *Loop           // for whose lanes they are, else
	Outer  []Stmt          // what is computed there before the fold
	Fold   *Loop           // that needs them
	Values []*Value        // those that it needs
	Single map[*Value]bool // those that are needed by what is the same for all lanes, too
	Filled *Loop           // fills it
	At     uint32          // where it begins, in bytes from the room that the kernel has
}

// Packing stores the values of a panel.
type Packing struct{ *Panel }

func (Packing) stmt() {}

// Index is the place of v among the values of a panel, or -1.
func (p *Panel) Index(v *Value) int { return slices.Index(p.Values, v) }
