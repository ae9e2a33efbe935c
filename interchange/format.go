package interchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
)

// Graph is an e-graph as data: e-nodes, which name their e-classes.
type Graph struct {
	Nodes   []Node
	Roots   []string // classes
	Classes []Class  // what is known of classes; those without an entry have no slots

	src *diag.Source // where it was read
}

// Node is an e-node.
type Node struct {
	ID       string
	Op       string
	Children []string // e-nodes, which stand for their classes
	Class    string
	Cost     float64
	// Subsumed says that the node is not to be extracted.
	Subsumed bool
	// Slots is nil if the node names no variables.
	Slots *Slots

	pos diag.Pos
}

// Slots says how a node passes variables on. Names are those of the slots of the
// node's class, of the variables that it binds, or others, on which the class
// does not depend.
type Slots struct {
	Own  []string   `json:"own,omitempty"`  // of a variable
	Bind []string   `json:"bind,omitempty"` // what it binds
	Args [][]string `json:"args,omitempty"` // for each child, what it passes for the slots of its class
}

// Class is what is known of an e-class.
type Class struct {
	ID   string
	Type string
	// Slots are the names of its slots.
	Slots []string
	// Symmetries are permutations of the slots that leave the class as it is.
	Symmetries [][]int

	pos diag.Pos
}

// MaxBytes bounds a file.
const MaxBytes = 256 << 20

// Read reads a graph. The error lists all findings, as a [diag.List].
func Read(src *diag.Source) (*Graph, error) {
	r := &reader{src: src, dec: json.NewDecoder(strings.NewReader(src.Text)), g: &Graph{src: src}}
	if err := r.file(); err != nil {
		return nil, err
	}
	r.check()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.g, nil
}

type reader struct {
	src  *diag.Source
	dec  *json.Decoder
	g    *Graph
	errs diag.List
}

// pos is where the next token is, about.
func (r *reader) pos() diag.Pos {
	p := int(r.dec.InputOffset())
	for p < len(r.src.Text) && strings.IndexByte(" \t\r\n,:", r.src.Text[p]) >= 0 {
		p++
	}
	return diag.Pos(p)
}

// syntax is an error of the decoder with its position.
func (r *reader) syntax(err error) error {
	pos := r.pos()
	var s *json.SyntaxError
	if errors.As(err, &s) {
		pos = diag.Pos(max(0, s.Offset-1))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		pos, err = diag.Pos(len(r.src.Text)), errors.New("the text ends too early")
	}
	return diag.List{diag.Errorf(r.src, pos, "%v", err)}
}

func (r *reader) file() error {
	seen := make(map[string]bool)
	err := r.object(func(key string, pos diag.Pos) error {
		if seen[key] {
			r.errs.Add(r.src, pos, "%s is there twice", key)
		}
		seen[key] = true
		switch key {
		case "nodes":
			return r.object(r.node)
		case "root_eclasses":
			return r.dec.Decode(&r.g.Roots)
		case "class_data":
			return r.object(r.class)
		}
		var ignored json.RawMessage
		return r.dec.Decode(&ignored)
	})
	var found diag.List
	switch {
	case errors.As(err, &found):
		return err
	case err != nil:
		return r.syntax(err)
	}
	if !seen["nodes"] {
		r.errs.Add(r.src, 0, "there are no nodes: expected an e-graph in the format of egraph-serialize")
	}
	pos := r.pos()
	if _, err := r.dec.Token(); err != io.EOF {
		r.errs.Add(r.src, pos, "there is something after the e-graph")
	}
	return nil
}

// object reads an object, in the order of the text.
func (r *reader) object(field func(key string, pos diag.Pos) error) error {
	pos := r.pos()
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		r.errs.Add(r.src, pos, "expected an object")
		return r.errs.Err()
	}
	for r.dec.More() {
		pos := r.pos()
		t, err := r.dec.Token()
		if err != nil {
			return err
		}
		if err := field(t.(string), pos); err != nil {
			return err
		}
	}
	_, err = r.dec.Token()
	return err
}

func (r *reader) node(id string, pos diag.Pos) error {
	n := Node{ID: id, pos: pos}
	var x struct {
		Op       *string  `json:"op"`
		Children []string `json:"children"`
		Class    *string  `json:"eclass"`
		Cost     *float64 `json:"cost"`
		Subsumed bool     `json:"subsumed"`
		Slots    *Slots   `json:"slots"`
	}
	if err := r.dec.Decode(&x); err != nil {
		return fmt.Errorf("node %q: %w", id, err)
	}
	if x.Op == nil || x.Class == nil {
		r.errs.Add(r.src, pos, "node %q needs op and eclass", id)
		return nil
	}
	n.Op, n.Class, n.Children, n.Subsumed, n.Slots, n.Cost = *x.Op, *x.Class, x.Children, x.Subsumed, x.Slots, 1
	if x.Cost != nil {
		n.Cost = *x.Cost
	}
	if n.Cost < 0 || math.IsInf(n.Cost, 0) {
		r.errs.Add(r.src, pos, "node %q has the cost %v: costs are not negative", id, n.Cost)
	}
	r.g.Nodes = append(r.g.Nodes, n)
	return nil
}

func (r *reader) class(id string, pos diag.Pos) error {
	c := Class{ID: id, pos: pos}
	var x struct {
		Type       string `json:"type"`
		Slots      string `json:"slots"`
		Symmetries string `json:"symmetries"`
	}
	if err := r.dec.Decode(&x); err != nil {
		return fmt.Errorf("class %q: %w", id, err)
	}
	c.Type, c.Slots = x.Type, strings.Fields(x.Slots)
	if strings.TrimSpace(x.Symmetries) != "" {
		for s := range strings.SplitSeq(x.Symmetries, ",") {
			var p []int
			for _, w := range strings.Fields(s) {
				i, err := strconv.Atoi(w)
				if err != nil {
					i = -1
				}
				p = append(p, i)
			}
			c.Symmetries = append(c.Symmetries, p)
		}
	}
	r.g.Classes = append(r.g.Classes, c)
	return nil
}

// check looks for names that name nothing.
func (r *reader) check() {
	g := r.g
	class := make(map[string]string, len(g.Nodes)) // of nodes
	nodes := make(map[string]bool)                 // whether a class has any
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if _, ok := class[n.ID]; ok {
			r.errs.Add(r.src, n.pos, "there are two nodes %q", n.ID)
		}
		class[n.ID], nodes[n.Class] = n.Class, true
	}
	slots := make(map[string]int)
	seen := make(map[string]bool)
	for i := range g.Classes {
		c := &g.Classes[i]
		if seen[c.ID] {
			r.errs.Add(r.src, c.pos, "class_data has the class %q twice", c.ID)
		}
		seen[c.ID] = true
		if !nodes[c.ID] {
			r.errs.Add(r.src, c.pos, "the class %q has no nodes", c.ID)
		}
		if twice(c.Slots) {
			r.errs.Add(r.src, c.pos, "the class %q has two slots of one name", c.ID)
		}
		slots[c.ID] = len(c.Slots)
		for _, p := range c.Symmetries {
			if !permutation(p, len(c.Slots)) {
				r.errs.Add(r.src, c.pos, "the class %q: %v is not a permutation of its %d slots", c.ID, p, len(c.Slots))
			}
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, k := range n.Children {
			if _, ok := class[k]; !ok {
				r.errs.Add(r.src, n.pos, "node %q has the child %q, which is no node", n.ID, k)
			}
		}
		r.checkSlots(n, class, slots)
	}
	for _, c := range g.Roots {
		if !nodes[c] {
			r.errs.Add(r.src, 0, "the root class %q has no nodes", c)
		}
	}
}

func (r *reader) checkSlots(n *Node, class map[string]string, slots map[string]int) {
	s := n.Slots
	if s == nil {
		s = &Slots{}
	}
	if len(s.Args) > 0 && len(s.Args) != len(n.Children) {
		r.errs.Add(r.src, n.pos, "node %q has %d children and slots for %d", n.ID, len(n.Children), len(s.Args))
		return
	}
	if twice(s.Bind) {
		r.errs.Add(r.src, n.pos, "node %q binds one name twice", n.ID)
	}
	for i, k := range n.Children {
		have := 0
		if i < len(s.Args) {
			have = len(s.Args[i])
		}
		if want := slots[class[k]]; have != want {
			r.errs.Add(r.src, n.pos, "node %q passes %d slots to child %d, whose class has %d", n.ID, have, i+1, want)
		}
	}
}

func twice(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) < len(names)
}

func permutation(p []int, n int) bool {
	sorted := slices.Sorted(slices.Values(p))
	for i, x := range sorted {
		if x != i {
			return false
		}
	}
	return len(p) == n
}

// Write writes a graph, a node on each line.
func Write(w io.Writer, g *Graph) error {
	b := bufio.NewWriter(w)
	text := func(s string) string { return string(must(json.Marshal(s))) }
	fmt.Fprint(b, "{\n  \"nodes\": {")
	for i, n := range g.Nodes {
		fmt.Fprintf(b, "%s\n    %s: {\"op\": %s, \"children\": %s, \"eclass\": %s, \"cost\": %s", comma(i), text(n.ID), text(n.Op), list(n.Children), text(n.Class), must(json.Marshal(n.Cost)))
		if n.Subsumed {
			fmt.Fprint(b, ", \"subsumed\": true")
		}
		if n.Slots != nil {
			fmt.Fprintf(b, ", \"slots\": %s", must(json.Marshal(n.Slots)))
		}
		fmt.Fprint(b, "}")
	}
	fmt.Fprintf(b, "\n  },\n  \"root_eclasses\": %s,\n  \"class_data\": {", list(g.Roots))
	for i, c := range g.Classes {
		fmt.Fprintf(b, "%s\n    %s: {\"type\": %s", comma(i), text(c.ID), text(c.Type))
		if len(c.Slots) > 0 {
			fmt.Fprintf(b, ", \"slots\": %s", text(strings.Join(c.Slots, " ")))
		}
		if len(c.Symmetries) > 0 {
			var ps []string
			for _, p := range c.Symmetries {
				ps = append(ps, strings.Trim(fmt.Sprint(p), "[]"))
			}
			fmt.Fprintf(b, ", \"symmetries\": %s", text(strings.Join(ps, ", ")))
		}
		fmt.Fprint(b, "}")
	}
	fmt.Fprint(b, "\n  }\n}\n")
	return b.Flush()
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// list is a JSON array on one line.
func list(names []string) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = string(must(json.Marshal(n)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// must is for strings and finite numbers, which can be written.
func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
