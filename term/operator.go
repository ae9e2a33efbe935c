package term

// Operator is an entry of a [Signature]: what is known of an operator whatever
// its attributes.
type Operator struct {
	Sym   Sym
	Name  string
	Arity int // number of children, -1 if it varies

	Elementwise bool // acts on each element of equal shapes
	ZeroKeeping bool // zero-preserving: op(0, …) is 0
	Commutative bool // both orders of the two operands mean the same
	Linear      bool // makes a linear map

	// Declared is what a rule file says of the operator, nil if it is built in.
	Declared *Declared

	kind elemKind // of an elementwise operator: its element types
}

// elemKind is the signature of an elementwise operator on elements.
type elemKind uint8

const (
	numToNum  elemKind = iota // N … -> N for one N among R, I
	realToR                   // R … -> R
	intToI                    // I … -> I
	numToB                    // N, N -> B
	anyToB                    // e, e -> B
	boolToB                   // B … -> B
	realToI                   // R -> I
	intToR                    // I -> R
	whereKind                 // B, e, e -> e
)

// operators lists the built-in ones; the index is the Sym.
var operators = [numBuiltin]Operator{
	SymVar:       {Name: "var"},
	SymIvar:      {Name: "ivar"},
	SymConst:     {Name: "const"},
	SymIota:      {Name: "iota"},
	SymIndex:     {Name: "index", Arity: -1},
	SymSum:       {Name: "sum", Arity: 1},
	SymMaximum:   {Name: "maximum", Arity: 1},
	SymMinimum:   {Name: "minimum", Arity: 1},
	SymArgmax:    {Name: "argmax", Arity: 1},
	SymGather:    {Name: "gather", Arity: -1},
	SymScatter:   {Name: "scatter", Arity: -1},
	SymStack:     {Name: "stack", Arity: -1},
	SymReplicate: {Name: "replicate", Arity: 1},
	SymTr:        {Name: "tr", Arity: 1},
	SymReshape:   {Name: "reshape", Arity: 1},
	SymBuild:     {Name: "build", Arity: 1},
	SymCond:      {Name: "cond", Arity: 3},
	SymTuple:     {Name: "tuple", Arity: -1},
	SymProj:      {Name: "proj", Arity: 1},
	SymWhere:     {Name: "where", Arity: 3, Elementwise: true, ZeroKeeping: true, kind: whereKind},
	// neg is not zero-preserving: neg of +0 is -0, a different float64.
	SymNeg:        {Name: "neg", Arity: 1, Elementwise: true, kind: numToNum},
	SymAbs:        {Name: "abs", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: numToNum},
	SymExp:        {Name: "exp", Arity: 1, Elementwise: true, kind: realToR},
	SymLog:        {Name: "log", Arity: 1, Elementwise: true, kind: realToR},
	SymSqrt:       {Name: "sqrt", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: realToR},
	SymSin:        {Name: "sin", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: realToR},
	SymCos:        {Name: "cos", Arity: 1, Elementwise: true, kind: realToR},
	SymTan:        {Name: "tan", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: realToR},
	SymTanh:       {Name: "tanh", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: realToR},
	SymSigmoid:    {Name: "sigmoid", Arity: 1, Elementwise: true, kind: realToR},
	SymLgamma:     {Name: "lgamma", Arity: 1, Elementwise: true, kind: realToR},
	SymPolygamma:  {Name: "polygamma", Arity: 1, Elementwise: true, kind: realToR},
	SymFloor:      {Name: "floor", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: realToI},
	SymRound:      {Name: "round", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: realToI},
	SymReal:       {Name: "real", Arity: 1, Elementwise: true, ZeroKeeping: true, kind: intToR},
	SymNot:        {Name: "not", Arity: 1, Elementwise: true, kind: boolToB},
	SymAdd:        {Name: "add", Arity: 2, Elementwise: true, ZeroKeeping: true, Commutative: true, kind: numToNum},
	SymSub:        {Name: "sub", Arity: 2, Elementwise: true, ZeroKeeping: true, kind: numToNum},
	SymMul:        {Name: "mul", Arity: 2, Elementwise: true, ZeroKeeping: true, Commutative: true, kind: numToNum},
	SymDiv:        {Name: "fdiv", Arity: 2, Elementwise: true, kind: realToR},
	SymMin:        {Name: "min", Arity: 2, Elementwise: true, ZeroKeeping: true, Commutative: true, kind: numToNum},
	SymMax:        {Name: "max", Arity: 2, Elementwise: true, ZeroKeeping: true, Commutative: true, kind: numToNum},
	SymPow:        {Name: "pow", Arity: 2, Elementwise: true, kind: realToR},
	SymAtan2:      {Name: "atan2", Arity: 2, Elementwise: true, ZeroKeeping: true, kind: realToR},
	SymIdiv:       {Name: "div", Arity: 2, Elementwise: true, ZeroKeeping: true, kind: intToI},
	SymMod:        {Name: "mod", Arity: 2, Elementwise: true, ZeroKeeping: true, kind: intToI},
	SymLt:         {Name: "lt", Arity: 2, Elementwise: true, ZeroKeeping: true, kind: numToB},
	SymLe:         {Name: "le", Arity: 2, Elementwise: true, kind: numToB},
	SymEq:         {Name: "eq", Arity: 2, Elementwise: true, Commutative: true, kind: anyToB},
	SymAnd:        {Name: "and", Arity: 2, Elementwise: true, ZeroKeeping: true, Commutative: true, kind: boolToB},
	SymOr:         {Name: "or", Arity: 2, Elementwise: true, ZeroKeeping: true, Commutative: true, kind: boolToB},
	SymLzero:      {Name: "lzero", Linear: true},
	SymLone:       {Name: "lone", Linear: true},
	SymLscale:     {Name: "lscale", Arity: 1, Linear: true},
	SymLcompose:   {Name: "lcompose", Arity: 2, Linear: true},
	SymLadd:       {Name: "ladd", Arity: 2, Linear: true},
	SymLpair:      {Name: "lpair", Arity: -1, Linear: true},
	SymLjoin:      {Name: "ljoin", Arity: -1, Linear: true},
	SymLtranspose: {Name: "ltranspose", Arity: 1, Linear: true},
	SymLapply:     {Name: "lapply", Arity: 2},
	SymLbuild:     {Name: "lbuild", Arity: 1, Linear: true},
	SymLbuildT:    {Name: "lbuildt", Arity: 1, Linear: true},
	SymLsum:       {Name: "lsum", Linear: true},
	SymLreplicate: {Name: "lreplicate", Linear: true},
	SymLgather:    {Name: "lgather", Arity: -1, Linear: true},
	SymLscatter:   {Name: "lscatter", Arity: -1, Linear: true},
	SymLtr:        {Name: "ltr", Linear: true},
	SymLreshape:   {Name: "lreshape", Linear: true},
	SymLmask:      {Name: "lmask", Arity: 1, Linear: true},
	SymLcond:      {Name: "lcond", Arity: 1, Linear: true},
	SymLproj:      {Name: "lproj", Linear: true},
	SymLinj:       {Name: "linj", Linear: true},
	SymLreached:   {Name: "lreached", Arity: 1},
}

func init() {
	for s := range operators {
		operators[s].Sym = Sym(s)
	}
}

// Text is how programs and rules write the operator: "+", "exp".
func (o *Operator) Text() string {
	if x, infix := infixText[o.Sym]; infix {
		return x.text
	}
	if o.Sym == SymPow {
		return "^"
	}
	return o.Name
}

// surface is the operator in a message about a program.
func (o *Operator) surface() string {
	if x, infix := infixText[o.Sym]; infix && x.prec == precCmp {
		return "a comparison" // it may have been the other way round
	}
	return o.Text()
}

// Signature is the set of operators that a [Store] knows: the built-in ones and
// those that a user's file declares.
type Signature struct {
	ops      []*Operator
	byName   map[string]*Operator
	declared bool // there are declared operators
}

// NewSignature returns the built-in operators.
func NewSignature() *Signature {
	g := &Signature{byName: make(map[string]*Operator)}
	for s := range operators {
		g.ops = append(g.ops, &operators[s])
		if s > 0 {
			g.byName[operators[s].Name] = &operators[s]
		}
	}
	return g
}

// Operator returns the entry of s.
func (g *Signature) Operator(s Sym) *Operator { return g.ops[s] }

// Lookup finds an operator by name.
func (g *Signature) Lookup(name string) (*Operator, bool) {
	o, ok := g.byName[name]
	return o, ok
}

// All lists the operators in the order of their Syms, without SymNone.
func (g *Signature) All() []*Operator { return g.ops[1:] }
