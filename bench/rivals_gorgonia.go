//go:build rivals

package main

import (
	"egad"
	"egad/bench/hand"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func init() { rivals = append(rivals, rival{"gorgonia", byGorgonia}) }

// gorgonia is a tape of Gorgonia.
type gorgonia struct{}

func (gorgonia) add(a, b *G.Node) *G.Node    { return G.Must(G.Add(a, b)) }
func (gorgonia) sub(a, b *G.Node) *G.Node    { return G.Must(G.Sub(a, b)) }
func (gorgonia) exp(a *G.Node) *G.Node       { return G.Must(G.Exp(a)) }
func (gorgonia) log(a *G.Node) *G.Node       { return G.Must(G.Log(a)) }
func (gorgonia) relu(a *G.Node) *G.Node      { return G.Must(G.Rectify(a)) }
func (gorgonia) softplus(a *G.Node) *G.Node  { return G.Must(G.Softplus(a)) }
func (gorgonia) matmul(a, b *G.Node) *G.Node { return G.Must(G.Mul(a, b)) }
func (gorgonia) sum(a *G.Node) *G.Node       { return G.Must(G.Sum(a)) }
func (gorgonia) max(a *G.Node) *G.Node       { return G.Must(G.Max(a)) }
func (gorgonia) sumRows(a *G.Node) *G.Node   { return G.Must(G.Sum(a, 1)) }
func (gorgonia) maxRows(a *G.Node) *G.Node   { return G.Must(G.Max(a, 1)) }
func (gorgonia) neg(a *G.Node) *G.Node       { return G.Must(G.Neg(a)) }
func (gorgonia) transpose(a *G.Node) *G.Node { return G.Must(G.Transpose(a, 1, 0)) }

func (gorgonia) mul(a, b *G.Node) *G.Node { return G.Must(G.HadamardProd(a, b)) }

func (g gorgonia) minRows(a *G.Node) *G.Node { return g.neg(g.maxRows(g.neg(a))) }

func (gorgonia) eachRow(a, r *G.Node) *G.Node {
	return G.Must(G.BroadcastAdd(a, r, nil, []byte{0}))
}

func (gorgonia) eachColumn(a, c *G.Node) *G.Node {
	return G.Must(G.BroadcastAdd(a, c, nil, []byte{1}))
}

func byGorgonia(name string, in egad.Env) (*hand.Func, error) {
	p, ok := programOf[*G.Node](name)
	if !ok {
		return nil, nil
	}
	value, err := machineOf(p, in, false)
	if err != nil {
		return nil, err
	}
	grad, err := machineOf(p, in, true)
	if err != nil {
		return nil, err
	}
	return &hand.Func{
		Value: func() float64 { v, _ := value(); return v },
		Grad:  grad,
	}, nil
}

// machineOf makes a function of a program. Its machine adds to gradients, which are
// therefore zeroed before.
func machineOf(p program[*G.Node], in egad.Env, grad bool) (func() (float64, []float64), error) {
	graph := G.NewGraph()
	var nodes []*G.Node
	for _, n := range p.inputs {
		v, err := input(in, n)
		if err != nil {
			return nil, err
		}
		if len(v.Shape) == 0 {
			nodes = append(nodes, G.NewConstant(v.R[0]))
			continue
		}
		t := tensor.New(tensor.WithShape(v.Shape...), tensor.WithBacking(v.R))
		nodes = append(nodes, G.NewTensor(graph, tensor.Float64, len(v.Shape), G.WithName(n), G.WithShape(v.Shape...), G.WithValue(t)))
	}
	root := p.run(gorgonia{}, nodes)
	wrt := nodes[:p.wrt]
	var options []G.VMOpt
	if grad {
		if _, err := G.Grad(root, wrt...); err != nil {
			return nil, err
		}
		options = append(options, G.BindDualValues(wrt...))
	}
	vm := G.NewTapeMachine(graph, options...)
	gradients := func(do func(g *tensor.Dense)) {
		for _, n := range wrt {
			if g, err := n.Grad(); err == nil && g != nil {
				do(g.(*tensor.Dense))
			}
		}
	}
	return func() (float64, []float64) {
		var out []float64
		if grad {
			gradients(func(g *tensor.Dense) { g.Zero() })
		}
		if err := vm.RunAll(); err != nil {
			panic(err)
		}
		vm.Reset()
		if grad {
			gradients(func(g *tensor.Dense) { out = append(out, g.Data().([]float64)...) })
		}
		return root.Value().Data().(float64), out
	}, nil
}
