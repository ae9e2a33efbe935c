package viz

import (
	"fmt"
	"html"
	"strings"

	"egad/kernel"

	"github.com/emicklei/dot"
)

// maxLines is how many lines of a kernel are shown.
const maxLines = 14

// Kernels draws the data flow between kernels: arrays are boxes, those of the
// result filled; kernels are rounded, with their text.
func Kernels(p *kernel.Program, opt Options) (string, error) {
	if err := checkSize("the data flow", len(p.Arrays)+len(p.Kernels), opt.MaxNodes); err != nil {
		return "", err
	}
	g := newGraph(opt.Caption)
	result := make(map[*kernel.Array]bool)
	markResult(p.Result, result)
	arrays := make(map[*kernel.Array]dot.Node)
	for k, a := range p.Arrays {
		b := box{head: a.Name, note: arrayType(a)}
		switch {
		case result[a]:
			b.fill = highlight
		case a.Role != kernel.Temp:
			b.fill = pale
		}
		arrays[a] = plain(g.Node(id("a", k)), b.html())
	}
	for i, k := range p.Kernels {
		n := g.Node(id("k", i)).Attr("shape", "box").Attr("style", "rounded").Attr("color", blue)
		n.Attr("label", dot.HTML(kernelLabel(k)))
		for _, a := range k.Reads() {
			g.Edge(arrays[a], n).Attr("arrowsize", "0.6")
		}
		for _, a := range k.Writes() {
			g.Edge(n, arrays[a]).Attr("arrowsize", "0.6").Attr("color", blue)
		}
	}
	return g.String(), nil
}

func markResult(r kernel.Result, to map[*kernel.Array]bool) {
	if r.Array != nil {
		to[r.Array] = true
	}
	for _, p := range r.Parts {
		markResult(p, to)
	}
}

func arrayType(a *kernel.Array) string {
	if len(a.Shape) == 0 {
		return a.Elem.String()
	}
	return a.Elem.String() + list(a.Shape)
}

// kernelLabel is the text of a kernel without the arrays that it writes, for
// which there are arrows.
func kernelLabel(k *kernel.Kernel) string {
	lines := strings.Split(strings.TrimSpace(k.String()), "\n")[len(k.Writes()):]
	if n := len(lines); n > maxLines {
		lines = append(lines[:maxLines:maxLines], fmt.Sprintf("  … %d more lines", n-maxLines))
	}
	var s strings.Builder
	s.WriteString(`<font face="Courier" point-size="9">`)
	for _, l := range lines {
		text := strings.TrimPrefix(l, "  ")
		spaces := len(text) - len(strings.TrimLeft(text, " "))
		s.WriteString(strings.Repeat("&#160;", spaces) + html.EscapeString(text[spaces:]) + `<br align="left"/>`)
	}
	s.WriteString("</font>")
	return s.String()
}
