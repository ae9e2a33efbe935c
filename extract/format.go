package extract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/proof"
)

// Graph is an e-graph as data: e-nodes, which name their e-classes.
type Graph struct {
	Nodes   []Node
	Roots   []string // classes
	Classes []Class  // what is known of classes; those without an entry have no slots

	src      *diag.Source // where it was read
	rootsPos diag.Pos     // of the list, and of its entries
	rootPos  []diag.Pos
}

// Node is an e-node.
type Node struct {
	ID       string
	Op       string
	Children []string // e-nodes, which stand for their classes
	Class    string
	Cost     float64
	// Operator is the operator with its attributes, nil if Op says all of it.
	Operator *proof.Op
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

// ReadJSON reads a graph. The error lists all findings, as a [diag.List].
func ReadJSON(src *diag.Source) (*Graph, error) {
	r := &reader{src: src, dec: json.NewDecoder(strings.NewReader(src.Text)), g: &Graph{src: src}}
	r.dec.UseNumber()
	if err := r.file(); err != nil {
		return nil, err
	}
	r.check()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.g, nil
}

// WriteJSON writes a graph, a node on each line.
func WriteJSON(w io.Writer, g *Graph) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "{\n  \"nodes\": {")
	for i, n := range g.Nodes {
		fmt.Fprintf(b, "%s\n    %s: {\"op\": %s, \"children\": %s, \"eclass\": %s, \"cost\": %s", comma(i), text(n.ID), text(n.Op), list(n.Children), text(n.Class), must(json.Marshal(n.Cost)))
		if n.Subsumed {
			fmt.Fprint(b, ", \"subsumed\": true")
		}
		if n.Operator != nil {
			fmt.Fprintf(b, ", \"operator\": %s", must(json.Marshal(n.Operator)))
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
			ps := slice.Map(c.Symmetries, func(p []int) string { return strings.Trim(fmt.Sprint(p), "[]") })
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

// text is a JSON string.
func text(s string) string { return string(must(json.Marshal(s))) }

// list is a JSON array on one line.
func list(names []string) string {
	return "[" + strings.Join(slice.Map(names, text), ", ") + "]"
}

// must is for strings and finite numbers, which can be written.
func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
