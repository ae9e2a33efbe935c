package extract

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"egad/diag"
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
	r.errs.Add(r.src, pos, "%v", err)
	return r.errs.Err()
}

func (r *reader) file() error {
	nodes := false
	ok, err := r.record(nil, func(key string) error {
		switch key {
		case "nodes":
			nodes = true
			_, err := r.object(called(key), r.node)
			return err
		case "root_eclasses":
			r.g.rootsPos = r.pos()
			return r.list(called(key), func() error {
				pos := r.pos()
				s, ok, err := r.text(called("a root class"))
				if ok {
					r.g.Roots, r.g.rootPos = append(r.g.Roots, s), append(r.g.rootPos, pos)
				}
				return err
			})
		case "class_data":
			_, err := r.object(called(key), r.class)
			return err
		}
		return r.skip()
	})
	if err != nil {
		return r.syntax(err)
	}
	if ok && !nodes {
		r.errs.Add(r.src, 0, "there are no nodes: expected an e-graph in the format of egraph-serialize")
	}
	pos := r.pos()
	if _, err := r.dec.Token(); err != io.EOF {
		r.errs.Add(r.src, pos, "there is something after the e-graph")
	}
	return nil
}

func (r *reader) node(id string, pos diag.Pos) error {
	n := Node{ID: id, Cost: 1, pos: pos}
	name := place(func() string { return fmt.Sprintf("node %q", id) })
	before := len(r.errs)
	var op, class bool
	_, err := r.record(name, func(key string) (err error) {
		field := name.of(key, " of ")
		switch key {
		case "op":
			n.Op, op, err = r.text(field)
		case "eclass":
			n.Class, class, err = r.text(field)
		case "children":
			n.Children, err = r.texts(field)
		case "cost":
			n.Cost, err = r.cost(field)
		case "subsumed":
			err = r.value(field, "true or false", func(t json.Token) (ok bool) {
				n.Subsumed, ok = t.(bool)
				return ok
			})
		case "slots":
			n.Slots, err = r.slots(field)
		case "operator":
			n.Operator, err = r.operator(field)
		default:
			err = r.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
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
	return nil
}

func (r *reader) cost(field place) (float64, error) {
	cost, pos := 1.0, r.pos()
	err := r.value(field, "a number", func(t json.Token) bool {
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
	return cost, err
}

// operator reads an operator with its attributes, as in proofs.
func (r *reader) operator(field place) (*proof.Op, error) {
	pos := r.pos()
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return nil, err
	}
	op := new(proof.Op)
	if err := json.Unmarshal(raw, op); err != nil || raw[0] != '{' {
		r.errs.Add(r.src, pos, "%s is not an operator with its attributes", field())
		return nil, nil
	}
	return op, nil
}

func (r *reader) slots(field place) (*Slots, error) {
	s := &Slots{}
	_, err := r.record(field, func(key string) (err error) {
		part := field.of(key, " in ")
		switch key {
		case "own":
			s.Own, err = r.texts(part)
		case "bind":
			s.Bind, err = r.texts(part)
		case "args":
			err = r.list(part, func() error {
				names, err := r.texts(part)
				s.Args = append(s.Args, names)
				return err
			})
		default:
			err = r.skip()
		}
		return err
	})
	return s, err
}

func (r *reader) class(id string, pos diag.Pos) error {
	c := Class{ID: id, pos: pos}
	name := place(func() string { return fmt.Sprintf("class %q", id) })
	_, err := r.record(name, func(key string) (err error) {
		field := name.of(key, " of ")
		var s string
		switch key {
		case "type":
			c.Type, _, err = r.text(field)
		case "slots":
			s, _, err = r.text(field)
			c.Slots = strings.Fields(s)
		case "symmetries":
			s, _, err = r.text(field)
			c.Symmetries = symmetries(s)
		default:
			err = r.skip()
		}
		return err
	})
	r.g.Classes = append(r.g.Classes, c)
	return err
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
