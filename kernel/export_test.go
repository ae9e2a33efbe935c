package kernel

import "egad/term"

// LowerShared is [Lower] with loops shared wherever they may be, and in blocks of so many
// rows along every axis.
func LowerShared(p *term.Program, rows int) (*Program, error) {
	return read(p, nil, term.NameSet{}, sizes{rows: rows, axis: 2, eager: true})
}

// LowerApart is [Lower] with one kernel for each array.
func LowerApart(p *term.Program) (*Program, error) {
	return read(p, nil, term.NameSet{}, sizes{apart: true})
}
