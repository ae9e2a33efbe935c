package extract

import (
	"bytes"
	"strings"
	"testing"

	"egad/diag"
)

// mistakes are files with the findings that they have, in order.
var mistakes = []struct{ text, want string }{
	{``, "g.json:1:1: the text ends too early"},
	{`[]`, "g.json:1:1: expected an object, found a list"},
	{`null`, "g.json:1:1: expected an object, found null"},
	{`{"nodes": {"a": 1}}`, `g.json:1:17: node "a": expected an object, found a number`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "cost": NaN}}}`, `g.json:1:52: expected a value, found 'N'`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0",, "cost": 1}}}`, `g.json:1:43: expected a name in quotes, found ','`},
	{`{"nodes" {}}`, `g.json:1:10: expected a colon, found '{'`},
	{`{"nodes": {`, "g.json:1:12: the text ends too early"},
	{`{"nodes": {}} x`, "g.json:1:15: there is something after the e-graph"},
	{`{"x": 1}`, "g.json:1:1: there are no nodes: expected an e-graph in the format of egraph-serialize"},
	{`{"nodes": {}, "nodes": {}}`, "g.json:1:15: nodes is there twice"},
	{`{"nodes": {"a": {"op": 1, "eclass": "0"}}}`, `g.json:1:24: op of node "a": expected a string, found a number`},
	{`{"nodes": {"a": {"op": "x"}}, "root_eclasses": ["0"], "class_data": {"0": {}}}`, `g.json:1:12: node "a" has no eclass`},
	{`{"nodes": {"a": {"eclass": "0"}}, "root_eclasses": ["0"]}`, `g.json:1:12: node "a" has no op`},
	{`{"nodes": {"a": {"op": null}}}`, `g.json:1:12: node "a" has no op and no eclass`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "op": "y"}}}`, `g.json:1:44: op is there twice`},
	{`{"nodes": {"a": {"op": "x", "eclass": 0}}, "root_eclasses": ["0"]}`, `g.json:1:39: eclass of node "a": expected a string, found a number`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "children": "a"}}}`, `g.json:1:56: children of node "a": expected a list, found a string`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "children": [[1, {}]]}}}`, `g.json:1:57: an entry of children of node "a": expected a string, found a list`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "children": [null]}}}`, `g.json:1:57: an entry of children of node "a": expected a string, found null`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "subsumed": {}}}}`, `g.json:1:56: subsumed of node "a": expected true or false, found an object`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "slots": {"bind": [true]}}}}`, `g.json:1:63: an entry of bind in slots of node "a": expected a string, found true or false`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}}, "class_data": {"0": {"type": 3}}}`, `g.json:1:75: type of class "0": expected a string, found a number`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}}, "root_eclasses": [0]}`, `g.json:1:64: a root class: expected a string, found a number`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "cost": "1"}}}`, `g.json:1:52: cost of node "a": expected a number, found a string`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "cost": 1e308}}}`, `g.json:1:52: cost of node "a" is 1e308: costs are at most 1e+100`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "cost": -1e400}}}`, `g.json:1:52: cost of node "a" is -1e400: costs are not negative`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "cost": -1}}}`, `g.json:1:52: cost of node "a" is -1: costs are not negative`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}, "a": {"op": "x", "eclass": "0"}}}`, `g.json:1:45: there are two nodes "a"`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0", "children": ["b"]}}}`, `g.json:1:12: node "a" has the child "b", which is no node`},
	{`{"nodes": {}, "root_eclasses": ["0"]}`, `g.json:1:33: the root class "0" has no nodes`},
	{`{"nodes": {}, "class_data": {"0": {}}}`, `g.json:1:30: the class "0" has no nodes`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}}, "class_data": {"0": {"slots": "s s"}}}`, `g.json:1:61: the class "0" has two slots of one name`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}}, "class_data": {"0": {"slots": "s t", "symmetries": "1 1"}}}`, `g.json:1:61: the class "0": [1 1] is not a permutation of its 2 slots`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "f", "eclass": "1", "children": ["a"], "slots": {"args": [["s"]]}}}}`, `g.json:1:45: node "b" passes 1 slots to child 1, whose class has 0`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "f", "eclass": "1", "slots": {"bind": ["v", "v"]}}}}`, `g.json:1:45: node "b" binds one name twice`},
	{`{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "f", "eclass": "1", "children": ["a"], "slots": {"args": [["s", "s"]]}}}, "class_data": {"0": {"slots": "s t"}}}`, `g.json:1:45: node "b" passes one slot twice to child 1`},
}

func TestMistakes(t *testing.T) {
	for _, c := range mistakes {
		_, err := ReadJSON(&diag.Source{Name: "g.json", Text: c.text})
		got := ""
		if err != nil {
			got, _, _ = strings.Cut(err.Error(), "\n")
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A graph as the library of the format writes it.
const written = `{
  "nodes": {
    "n1": {"op": "+", "children": ["n2", "n2"], "eclass": "A", "cost": 2.5},
    "n2": {"op": "x", "eclass": "B"}
  },
  "root_eclasses": ["A"],
  "class_data": {"A": {"type": "Math", "let": "y"}}
}`

func TestRead(t *testing.T) {
	g, err := ReadJSON(&diag.Source{Name: "g.json", Text: written})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Nodes) != 2 || g.Nodes[0].ID != "n1" || g.Nodes[0].Cost != 2.5 || g.Nodes[1].Cost != 1 || g.Classes[0].Type != "Math" {
		t.Errorf("%+v", g)
	}
}

// FuzzRead: what can be read can be written and read again, to the same text, and
// extracted from or not, within a budget.
func FuzzRead(f *testing.F) {
	f.Add(written)
	for _, c := range mistakes {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadJSON(&diag.Source{Name: "g.json", Text: text})
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := WriteJSON(&once, g); err != nil {
			t.Fatal(err)
		}
		h, err := ReadJSON(&diag.Source{Name: "h.json", Text: once.String()})
		if err != nil {
			t.Fatalf("%v\n%s", err, once.String())
		}
		if err := WriteJSON(&twice, h); err != nil || once.String() != twice.String() {
			t.Errorf("%s\nand then\n%s", once.String(), twice.String())
		}
		if p, err := NewProblem(g, nil); err == nil {
			e := p.Exact(Budget{Steps: 1000})
			var terms bytes.Buffer
			if p.WriteTerms(&terms, e); terms.Len() == 0 {
				t.Error("an extraction without text")
			}
		}
	})
}
