package term

// wanted says which attributes operators have, beside those that have none.
var wanted = map[Sym]struct {
	sizes                        int // how many, -1 if any number of them
	targets, perm, n, name, typ2 bool
	typ                          bool
}{
	SymVar:       {name: true, typ: true},
	SymIvar:      {sizes: 1},
	SymConst:     {typ: true},
	SymIota:      {sizes: 1},
	SymGather:    {sizes: -1},
	SymScatter:   {sizes: -1, targets: true},
	SymReplicate: {sizes: 1},
	SymTr:        {perm: true},
	SymReshape:   {sizes: -1},
	SymBuild:     {sizes: 1},
	SymProj:      {n: true},
	SymPolygamma: {n: true},

	SymLzero:      {typ: true, typ2: true},
	SymLone:       {typ: true},
	SymLbuild:     {sizes: 1},
	SymLbuildT:    {sizes: 1},
	SymLsum:       {typ: true},
	SymLreplicate: {sizes: 1, typ: true},
	SymLgather:    {sizes: -1, typ: true},
	SymLscatter:   {sizes: -1, targets: true, typ: true},
	SymLtr:        {perm: true, typ: true},
	SymLreshape:   {sizes: -1, typ: true},
	SymLcond:      {typ: true},
	SymLproj:      {n: true, typ: true},
	SymLinj:       {n: true, typ: true},
}

// Complete reports whether an operator of the signature has the attributes that it
// needs, and no others.
func (g *Signature) Complete(op Op) bool {
	w := wanted[op.Sym]
	if d := g.Operator(op.Sym).Declared; d != nil && g.Operator(op.Sym).Linear {
		w.typ = true
	}
	return (w.sizes < 0 || w.sizes == len(op.Sizes)) && (w.targets || len(op.Targets) == 0) && (w.perm || len(op.Perm) == 0) &&
		(w.n && op.N >= 0 || op.N == 0) && w.name == (op.Name != "") && w.typ == (op.Type != nil) && w.typ2 == (op.Type2 != nil) &&
		(op.Sym == SymConst) == (op.Const != nil) && (op.Const == nil || op.Type.Kind == KArray)
}
