package extract

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/raise"
	"egad/rules/proof"
)

// reader reads a text token by token: each value has a position, and a mistake in
// one does not hide the others.
type reader struct {
	src     *diag.Source
	dec     *json.Decoder
	g       *Graph
	errs    diag.List
	unclear bool // a node lacks its class: which classes have nodes is not known
}

// pos is where the next token is.
func (r *reader) pos() diag.Pos { return r.after(" \t\r\n,:") }

// after is where the text goes on after some characters.
func (r *reader) after(passed string) diag.Pos {
	p := int(r.dec.InputOffset())
	for p < len(r.src.Text) && strings.IndexByte(passed, r.src.Text[p]) >= 0 {
		p++
	}
	return diag.Pos(p)
}

// syntax adds an error of the decoder, which has read up to the value that is not
// right. The offset in the error itself does not count all of the text.
func (r *reader) syntax(err error) error {
	pos := r.after(" \t\r\n")
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		pos, err = diag.Pos(len(r.src.Text)), errors.New("the text ends too early")
	}
	r.errs.Add(r.src, pos, "%s", diag.JSON(err))
	return r.errs.Err()
}

func (r *reader) file() (err error) {
	defer func() {
		if raise.Recovered(recover(), &err); err != nil {
			err = r.syntax(err)
		}
	}()
	nodes := false
	ok := r.record(nil, func(key string) {
		switch key {
		case "nodes":
			nodes = true
			r.object(called(key), r.node)
		case "root_eclasses":
			r.g.rootsPos = r.pos()
			r.list(called(key), func() {
				pos := r.pos()
				if s, ok := r.text(called("a root class")); ok {
					r.g.Roots, r.g.rootPos = append(r.g.Roots, s), append(r.g.rootPos, pos)
				}
			})
		case "class_data":
			r.object(called(key), r.class)
		default:
			r.skip()
		}
	})
	if ok && !nodes {
		r.errs.Add(r.src, 0, "there are no nodes: expected an e-graph in the format of egraph-serialize")
	}
	pos := r.pos()
	if _, err := r.dec.Token(); err != io.EOF {
		r.errs.Add(r.src, pos, "there is something after the e-graph")
	}
	return nil
}

func (r *reader) node(id string, pos diag.Pos) {
	n := Node{ID: id, Cost: 1, pos: pos}
	name := place(func() string { return fmt.Sprintf("node %q", id) })
	before := len(r.errs)
	var op, class bool
	r.record(name, func(key string) {
		field := name.of(key, " of ")
		switch key {
		case "op":
			n.Op, op = r.text(field)
		case "eclass":
			n.Class, class = r.text(field)
		case "children":
			n.Children = r.texts(field)
		case "cost":
			n.Cost = r.cost(field)
		case "subsumed":
			r.value(field, "true or false", func(t json.Token) (ok bool) {
				n.Subsumed, ok = t.(bool)
				return ok
			})
		case "slots":
			n.Slots = r.slots(field)
		case "operator":
			n.Operator = r.operator(field)
		default:
			r.skip()
		}
	})
	r.unclear = r.unclear || !class
	if len(r.errs) == before { // else something of another kind stands there
		switch {
		case !op && !class:
			r.errs.Add(r.src, pos, "%s has no op and no eclass", name())
		case !op:
			r.errs.Add(r.src, pos, "%s has no op", name())
		case !class:
			r.errs.Add(r.src, pos, "%s has no eclass", name())
		}
	}
	r.g.Nodes = append(r.g.Nodes, n)
}

func (r *reader) cost(field place) float64 {
	cost, pos := 1.0, r.pos()
	r.value(field, "a number", func(t json.Token) bool {
		n, ok := t.(json.Number)
		if !ok {
			return false
		}
		cost, _ = strconv.ParseFloat(string(n), 64) // beyond the range ±Inf
		switch {
		case cost < 0:
			r.errs.Add(r.src, pos, "%s is %s: costs are not negative", field(), n)
		case cost > maxCost:
			r.errs.Add(r.src, pos, "%s is %s: costs are at most %g", field(), n, maxCost)
		}
		return true
	})
	return cost
}

// operator reads an operator with its attributes, as in proofs.
func (r *reader) operator(field place) *proof.Op {
	pos := r.pos()
	var raw json.RawMessage
	raise.Error(r.dec.Decode(&raw))
	op := new(proof.Op)
	if err := json.Unmarshal(raw, op); err != nil || raw[0] != '{' {
		r.errs.Add(r.src, pos, "%s is not an operator with its attributes", field())
		return nil
	}
	return op
}

func (r *reader) slots(field place) *Slots {
	s := &Slots{}
	r.record(field, func(key string) {
		part := field.of(key, " in ")
		switch key {
		case "own":
			s.Own = r.texts(part)
		case "bind":
			s.Bind = r.texts(part)
		case "args":
			r.list(part, func() { s.Args = append(s.Args, r.texts(part)) })
		default:
			r.skip()
		}
	})
	return s
}

func (r *reader) class(id string, pos diag.Pos) {
	c := Class{ID: id, pos: pos}
	name := place(func() string { return fmt.Sprintf("class %q", id) })
	r.record(name, func(key string) {
		field := name.of(key, " of ")
		switch key {
		case "type":
			c.Type, _ = r.text(field)
		case "slots":
			s, _ := r.text(field)
			c.Slots = strings.Fields(s)
		case "symmetries":
			s, _ := r.text(field)
			c.Symmetries = symmetries(s)
		default:
			r.skip()
		}
	})
	r.g.Classes = append(r.g.Classes, c)
}

// symmetries reads "1 0, 2 1 0". What is no number becomes -1, which is in no
// permutation.
func symmetries(text string) [][]int {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out [][]int
	for s := range strings.SplitSeq(text, ",") {
		var p []int
		for _, w := range strings.Fields(s) {
			i, err := strconv.Atoi(w)
			if err != nil {
				i = -1
			}
			p = append(p, i)
		}
		out = append(out, p)
	}
	return out
}
