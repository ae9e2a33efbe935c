//go:build rivals

package main

import (
	"fmt"

	"egad"
	"egad/bench/hand"

	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

func init() { rivals = append(rivals, rival{"gomlx", byGomlx}) }

// gomlx is a tape of GoMLX, which its backend in Go computes.
type gomlx struct{}

type mlxNode = *graph.Node

func (gomlx) add(a, b mlxNode) mlxNode        { return graph.Add(a, b) }
func (gomlx) sub(a, b mlxNode) mlxNode        { return graph.Sub(a, b) }
func (gomlx) mul(a, b mlxNode) mlxNode        { return graph.Mul(a, b) }
func (gomlx) exp(a mlxNode) mlxNode           { return graph.Exp(a) }
func (gomlx) log(a mlxNode) mlxNode           { return graph.Log(a) }
func (gomlx) relu(a mlxNode) mlxNode          { return graph.MaxScalar(a, 0.0) }
func (gomlx) softplus(a mlxNode) mlxNode      { return graph.Softplus(a) }
func (gomlx) matmul(a, b mlxNode) mlxNode     { return graph.Dot(a, b) }
func (gomlx) sum(a mlxNode) mlxNode           { return graph.ReduceAllSum(a) }
func (gomlx) max(a mlxNode) mlxNode           { return graph.StopGradient(graph.ReduceAllMax(a)) }
func (gomlx) sumRows(a mlxNode) mlxNode       { return graph.ReduceSum(a, -1) }
func (gomlx) maxRows(a mlxNode) mlxNode       { return graph.StopGradient(graph.ReduceMax(a, -1)) }
func (gomlx) minRows(a mlxNode) mlxNode       { return graph.ReduceMin(a, -1) }
func (gomlx) eachRow(a, r mlxNode) mlxNode    { return graph.Add(a, graph.ExpandAxes(r, 0)) }
func (gomlx) eachColumn(a, c mlxNode) mlxNode { return graph.Add(a, graph.ExpandAxes(c, -1)) }
func (gomlx) transpose(a mlxNode) mlxNode     { return graph.Transpose(a, 0, 1) }
func (gomlx) neg(a mlxNode) mlxNode           { return graph.Neg(a) }

func byGomlx(name string, in egad.Env) (*hand.Func, error) {
	p, ok := programOf[mlxNode](name)
	if !ok {
		return nil, nil
	}
	backend, err := simplego.New("")
	if err != nil {
		return nil, err
	}
	var args []any
	for _, n := range p.inputs {
		v, err := input(in, n)
		if err != nil {
			return nil, err
		}
		args = append(args, tensors.FromFlatDataAndDimensions(v.R, v.Shape...))
	}
	value, err := graph.NewExec(backend, func(in []*graph.Node) *graph.Node { return p.run(gomlx{}, in) })
	if err != nil {
		return nil, err
	}
	grad, err := graph.NewExec(backend, func(in []*graph.Node) []*graph.Node {
		v := p.run(gomlx{}, in)
		return append([]*graph.Node{v}, graph.Gradient(v, in[:p.wrt]...)...)
	})
	if err != nil {
		return nil, err
	}
	return &hand.Func{
		Value: func() float64 { return tensors.ToScalar[float64](value.MustExec(args...)[0]) },
		Grad: func() (float64, []float64) {
			var out []float64
			all := grad.MustExec(args...)
			for _, t := range all[1:] {
				out = append(out, tensors.MustCopyFlatData[float64](t)...)
			}
			return tensors.ToScalar[float64](all[0]), out
		},
	}, nil
}

// input is an input of a workload, or what is made of one.
func input(in egad.Env, name string) (*egad.Value, error) {
	switch v, ok := in[name]; {
	case ok:
		return v, nil
	case name == "n": // one in the number of examples
		return egad.Array([]float64{1 / float64(in["x"].Shape[0])}), nil
	case name == "onehot":
		label, n := in["label"].N, in["b2"].Shape[0]
		hot := make([]float64, len(label)*n)
		for i, l := range label {
			hot[i*n+int(l)] = 1
		}
		return egad.Array(hot, len(label), n), nil
	}
	return nil, fmt.Errorf("there is no input %s", name)
}
