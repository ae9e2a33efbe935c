// Package viz draws terms, e-graphs and kernels as text for Graphviz.
//
// A picture is the same text, byte for byte, whenever it is drawn again.
package viz

import (
	"fmt"
	"html"
	"strings"

	"github.com/emicklei/dot"
)

// DefaultMaxNodes bounds a picture: more cannot be read, and takes long to lay
// out.
const DefaultMaxNodes = 400

// TooLarge is the error of a picture with more nodes than were asked for.
type TooLarge struct {
	What       string
	Nodes, Max int
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s has %d nodes, and a picture of more than %d is slow to lay out and hard to read", e.What, e.Nodes, e.Max)
}

// checkSize is an error if nodes are more than limit (DefaultMaxNodes if it is 0).
func checkSize(what string, nodes, limit int) error {
	if limit == 0 {
		limit = DefaultMaxNodes
	}
	if nodes > limit {
		return &TooLarge{what, nodes, limit}
	}
	return nil
}

// Colours.
const (
	grey      = "#707070"
	pale      = "#f4f4f4"
	highlight = "#fff0b3"
	blue      = "#2060a0"
)

const font = "Helvetica"

// newGraph is an empty picture with a caption.
func newGraph(caption string) *dot.Graph {
	g := dot.NewGraph(dot.Directed)
	g.Attr("label", caption)
	g.Attr("labelloc", "t")
	g.Attr("fontname", font)
	g.Attr("fontsize", 12)
	return g
}

// plain makes n a node that is only its label.
func plain(n dot.Node, label dot.HTML) dot.Node {
	return n.Attr("shape", "plain").Attr("fontname", font).Attr("fontsize", 11).Attr("label", label)
}

// box is a node as a table: a heading, and a cell with a port for each child.
type box struct {
	name  string // bold, before the heading
	head  string
	note  string // small, under the heading
	ports []string
	fill  string // a colour, or ""
}

// html is the label of the node. Child k is the port of that number.
func (b box) html() dot.HTML {
	var s strings.Builder
	s.WriteString(`<table border="0" cellborder="1" cellspacing="0" cellpadding="3" color="` + grey + `"`)
	if b.fill != "" {
		s.WriteString(` bgcolor="` + b.fill + `"`)
	}
	fmt.Fprintf(&s, `><tr><td colspan="%d">`, max(1, len(b.ports)))
	if b.name != "" {
		s.WriteString("<b>" + html.EscapeString(b.name) + "</b> = ")
	}
	s.WriteString(html.EscapeString(b.head))
	if b.note != "" {
		fmt.Fprintf(&s, `<br/><font point-size="8" color="%s">%s</font>`, grey, html.EscapeString(b.note))
	}
	s.WriteString("</td></tr>")
	if len(b.ports) > 0 {
		s.WriteString("<tr>")
		for k, p := range b.ports {
			fmt.Fprintf(&s, `<td port="%s"><font point-size="8" color="%s">%s</font></td>`, port(k), grey, html.EscapeString(p))
		}
		s.WriteString("</tr>")
	}
	s.WriteString("</table>")
	return dot.HTML(s.String())
}

func port(k int) string { return fmt.Sprintf("k%d", k) }

// id is a name for node k that sorts as its number.
func id(prefix string, k int) string { return fmt.Sprintf("%s%06d", prefix, k) }
