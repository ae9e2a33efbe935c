package viz

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"

	"github.com/emicklei/dot"
)

// Options of a picture.
type Options struct {
	Caption string
	// MaxNodes bounds the nodes of the picture; 0 is DefaultMaxNodes. With more
	// the error is a [*TooLarge].
	MaxNodes int
}

// Term draws the body of a program as a graph in which what is shared is one
// node. A dashed arrow leads from an index variable to what binds it.
func Term(p *term.Program, opt Options) (string, error) {
	d := &termDrawer{
		s: p.Store, p: p, g: newGraph(opt.Caption), nodes: make(map[*term.Instance]dot.Node),
		binder: make(map[slot.Name]*term.Instance), vars: make(map[slot.Name]string),
	}
	root, _ := term.PlaceLets(p.Store, p.Root, func(*term.Instance) bool { return false })
	d.collect(root, make(map[*term.Instance]bool))
	if err := checkSize("the term", len(d.order), opt.MaxNodes); err != nil {
		return "", err
	}
	for k, in := range d.order {
		d.node(k, in)
	}
	for _, in := range d.order {
		d.edges(in)
	}
	return d.g.String(), nil
}

type termDrawer struct {
	s      *term.Store
	p      *term.Program
	g      *dot.Graph
	order  []*term.Instance // the root first
	nodes  map[*term.Instance]dot.Node
	binder map[slot.Name]*term.Instance
	vars   map[slot.Name]string
}

func (d *termDrawer) collect(in *term.Instance, seen map[*term.Instance]bool) {
	if seen[in] {
		return
	}
	seen[in] = true
	d.order = append(d.order, in)
	for k, n := range in.View.Binders {
		d.binder[n] = in
		d.vars[n] = d.varName(in, k)
	}
	for _, k := range in.Kids {
		d.collect(k, seen)
	}
}

// varName names binder k of in, as the source does where that is clear.
func (d *termDrawer) varName(in *term.Instance, k int) string {
	candidates := []string{"s", "t", "u", "v"}
	if v := d.s.Signature().Operator(in.View.Op.Sym).BinderType(in.View.Op, k); v.Type == nil {
		candidates = append(d.p.Index.Names(v.Size), "i", "j", "k", "l")
	}
	for n := 2; ; n++ {
		for _, c := range candidates {
			// A variable of a loop around this one is in the arguments of the node.
			others := slices.Concat(in.View.Binders[:k], in.Term.Args)
			if !slices.Contains(d.names(others), c) {
				return c
			}
		}
		candidates = []string{fmt.Sprintf("i%d", n)}
	}
}

func (d *termDrawer) node(k int, in *term.Instance) {
	op := in.View.Op
	n := d.g.Node(id("n", k))
	d.nodes[in] = n
	if len(in.View.Own) > 0 {
		n.Attr("shape", "circle").Attr("fontname", font).Attr("fontsize", 11).Attr("fontcolor", blue).Attr("color", blue)
		n.Attr("label", d.vars[in.View.Own[0]]).Attr("margin", "0.02").Attr("width", "0.25")
		return
	}
	b := box{
		name: d.p.Names[in.Term.ID].Name, head: opText(d.s.Signature(), op, d.names(in.View.Binders)),
		note: d.s.Type(in.Term).String(),
	}
	if len(in.Kids) > 1 {
		b.ports = portNames(d.s.Signature().Operator(op.Sym), len(in.Kids))
	}
	if in.Leaf() {
		b.fill = pale
	}
	plain(n, b.html())
}

func (d *termDrawer) edges(in *term.Instance) {
	from := d.nodes[in]
	for k, kid := range in.Kids {
		tail := ""
		if len(in.Kids) > 1 {
			tail = port(k) + ":s"
		}
		e := d.g.EdgeWithPorts(from, d.nodes[kid], tail, "").Attr("arrowsize", "0.6")
		if d.s.Signature().Under(in.View.Op, k) {
			// What is under the binder is evaluated once for each of its runs.
			e.Attr("color", blue).Attr("label", "\\"+strings.Join(d.names(in.View.Binders), ", "))
			e.Attr("fontname", font).Attr("fontsize", 8).Attr("fontcolor", blue)
		}
	}
	if len(in.View.Own) > 0 {
		d.g.Edge(from, d.nodes[d.binder[in.View.Own[0]]]).Attr("style", "dashed").
			Attr("color", blue).Attr("constraint", "false").Attr("arrowsize", "0.6")
	}
}

func (d *termDrawer) names(ns []slot.Name) []string {
	return slice.Map(ns, func(n slot.Name) string { return d.vars[n] })
}
