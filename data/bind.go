package data

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// Bind gives the parameters of a definition the values of in, and infers the
// definition's sizes.
//
// A size that stands alone as an axis of a parameter's type is told by every
// input that has that axis, and others as [size.Tell] says; sizes holds those
// that are given otherwise. All of them have to agree, and every other axis has to
// have the length that its type says. Conditions of the definition (where) are left to
// [module.Module.Instantiate].
//
// The environment has a value for every leaf of every parameter (see
// [term.Input.Leaves]). Elements of type R are rounded to float64, those of I
// have to be whole numbers that fit int64 exactly, and those of B are true or
// false, or 1 or 0. A CSV file of one row or one column may be a vector, and one of one
// cell a scalar. The list [] stands for an array of any rank whose first axis
// is empty; it does not tell the sizes of the others.
//
// The error lists all findings, as a [diag.List].
func Bind(info module.DefInfo, in *Inputs, sizes map[string]int64) (map[string]int64, eval.Env[*eval.Value[float64]], error) {
	if in == nil {
		in = &Inputs{}
	}
	return (&binder{info: info, in: in, used: make(map[string]bool)}).all(sizes)
}

// BindSome does what [Bind] does with the parameters that are given. It lists those that are not,
// which have no values in the environment; their sizes have to be known without them.
func BindSome(info module.DefInfo, in *Inputs, sizes map[string]int64) (known map[string]int64, env eval.Env[*eval.Value[float64]], missing []string, err error) {
	b := &binder{info: info, in: in, used: make(map[string]bool), some: true}
	known, env, err = b.all(sizes)
	return known, env, b.missing, err
}

// all takes all parameters and finds the sizes.
func (b *binder) all(sizes map[string]int64) (map[string]int64, eval.Env[*eval.Value[float64]], error) {
	for _, p := range b.info.Params {
		b.param(p.Name, p.Type)
	}
	b.unknown()
	known := b.solve(b.sizesIn(sizes))
	if err := b.errs.Err(); err != nil {
		return nil, nil, err
	}
	env := make(eval.Env[*eval.Value[float64]], len(b.leaves))
	for _, l := range b.leaves {
		l.value.Shape = make([]int, l.typ.Rank())
		for i, s := range l.typ.Shape {
			n, err := s.Eval(known)
			if err != nil {
				return nil, nil, l.errorf("%s: %v", l.name, err)
			}
			l.value.Shape[i] = int(n)
		}
		if l.absent {
			zeros, err := eval.FloatArrays().New(l.typ.At(known))
			if err != nil {
				return nil, nil, l.errorf("%s: %v", l.name, err)
			}
			l.value = zeros
		}
		env[l.name] = l.value
	}
	return known, env, nil
}

// binder collects the arrays of one call of Bind.
type binder struct {
	info    module.DefInfo
	in      *Inputs
	used    map[string]bool
	leaves  []*leaf
	errs    diag.List
	lacking bool // a parameter has no input
	some    bool // parameters may have none: those are missing
	missing []string
}

// leaf is an array among the inputs.
type leaf struct {
	name  string
	typ   *types.Type
	shape []int // as read; axes that [] does not tell are missing at the end
	value *eval.Value[float64]
	raw   *Raw
	path  []int // of the array in raw
	// absent says that it is zeros: the side of a sum that is not given.
	absent bool
}

func (l *leaf) errorf(format string, args ...any) *diag.Error {
	e := l.raw.errorIn(l.path, format, args...)
	e.Want = l.typ.String()
	return e
}

// add collects a finding.
func (b *binder) add(e *diag.Error) { b.errs.AddError(e) }

// param binds the parameter name, or the component called so.
func (b *binder) param(name string, t *types.Type) {
	if raw := b.in.Get(name); raw != nil {
		b.used[name] = true
		b.bind(name, t, raw, raw.val, nil)
		return
	}
	if t.Kind == types.KTuple && slices.ContainsFunc(b.in.names, func(s string) bool { return strings.HasPrefix(s, name+".") }) {
		for _, p := range (term.Input{Name: name, Type: t}).Components() {
			b.param(p.Name, p.Type)
		}
		return
	}
	if t.Kind == types.KFun || t.Kind == types.KLin {
		b.errs.Add(b.info.Src, b.info.Pos, "the input %s: %s is a %s, which cannot be given as data", name, t, form(t))
		return
	}
	if b.some {
		b.missing = append(b.missing, name)
		return
	}
	b.lacking = true // another name in a file may be meant for it
	in, there := "", b.in.list()+" is given"
	switch files := b.in.files; {
	case len(files) == 0 && len(b.in.names) > 1:
		there = b.in.list() + " are given"
	case len(files) == 1:
		in, there = files[0]+": ", "the file has "+b.in.list()
	case len(files) > 1:
		there = "the files have " + b.in.list()
	}
	e := diag.Errorf(nil, 0, "%sthe input %s: %s is missing; %s", in, name, t.Written(), there)
	e.Want = t.String()
	b.add(e)
}

// form names the form of a type in a message.
func form(t *types.Type) string {
	switch t.Kind {
	case types.KTuple:
		return "tuple"
	case types.KFun:
		return "function"
	case types.KLin:
		return "linear map"
	}
	if t.Rank() == 0 {
		return "scalar"
	}
	return "array of rank " + strconv.Itoa(t.Rank())
}

func withArticle(noun string) string {
	if strings.HasPrefix(noun, "a") {
		return "an " + noun
	}
	return "a " + noun
}

// parted reports whether name is a part of an input that is given as a whole.
func (b *binder) parted(name string) bool {
	whole, _, part := strings.Cut(name, ".")
	return part && b.used[whole]
}

// Unused lists the inputs of files with several that neither a parameter nor a size of
// the definition asks for.
func Unused(info module.DefInfo, in *Inputs) []string {
	var out []string
	for _, name := range in.Names() {
		whole, _, _ := strings.Cut(name, ".")
		asked := slices.ContainsFunc(info.Params, func(p term.Input) bool { return p.Name == whole })
		if in.spare[name] && !asked && !slices.Contains(info.Sizes, name) {
			out = append(out, label(name))
		}
	}
	return out
}

// unknown reports inputs that no parameter asks for.
func (b *binder) unknown() {
	names := slice.Map(b.info.Params, func(p term.Input) string { return p.Name })
	for _, name := range b.in.names {
		isSize := slices.Contains(b.info.Sizes, name)
		if b.used[name] || b.in.spare[name] && (isSize || !b.lacking && !b.parted(name)) {
			continue
		}
		if len(b.errs) >= maxFindings {
			return
		}
		raw := b.in.Get(name)
		whole, _, part := strings.Cut(name, ".")
		hint := diag.DidYouMean(name, names)
		if isSize {
			hint = fmt.Sprintf("; %s is a size, which is given as --size %s=%s", name, name, clip(raw.text()))
		}
		switch {
		case part && b.used[whole]:
			b.add(raw.errorAt(raw.Key, "%s is given twice, here and as a part of %s", label(name), label(whole)))
			continue
		case hint == "" && len(names) > 0:
			hint = "; it has " + strings.Join(names, ", ")
		}
		b.add(raw.errorAt(raw.Key, "%s has no input %s%s", b.info.Name, label(name), hint))
	}
}

// bind gives the item n of raw at path the type t.
func (b *binder) bind(name string, t *types.Type, raw *Raw, n node, path []int) {
	switch t.Kind {
	case types.KTuple:
		switch {
		case t.Rows > 0 && n.kind != object:
			b.rows(name, t, raw, n, path)
		case t.Sum:
			b.sum(name, t, raw, n, path)
		default:
			b.tuple(name, t, raw, n, path)
		}
	case types.KArray:
		if e := b.array(name, t, raw, n, path); e != nil {
			b.add(e)
		}
	default:
		b.add(raw.errorIn(path, "%s is a %s (%s), which cannot be given as data", name, form(t), t.Written()))
	}
}

func (b *binder) tuple(name string, t *types.Type, raw *Raw, n node, path []int) {
	switch {
	case raw.Src == nil:
		b.add(raw.errorIn(path, "%s is a tuple %s: give a JSON list, or its components as %s.0, %s.1, …", name, t.Written(), name, name))
		return
	case t.Sides && (n.kind == left || n.kind == right):
		b.add(raw.errorIn(path, "%s is a cotangent of a sum, so that a list of those of its sides is expected, as [1, 0], in which that of the side that the value is not has no effect, and this is %s", name, n))
		return
	case !n.isTuple():
		b.add(raw.errorIn(path, "%s is a tuple %s, so that a list of its components is expected, and this is %s", name, t.Written(), n))
		return
	case n.count() != len(t.Parts):
		b.add(raw.errorIn(path, "%s is a tuple %s of %s, and this has %d", name, t.Written(), diag.Count(len(t.Parts), "component"), n.count()))
		return
	}
	for i, item := range n.items() {
		b.bind(fmt.Sprintf("%s.%d", name, i), t.Parts[i], raw, item, append(slices.Clone(path), i))
	}
}

// sum binds a value of one side of a sum: the other side is zeros, of sizes that other
// inputs tell.
func (b *binder) sum(name string, t *types.Type, raw *Raw, n node, path []int) {
	if n.kind != left && n.kind != right {
		b.add(raw.errorIn(path, `%s is a value of a sum %s, so that {"inl": …} or {"inr": …} is expected, and this is %s`, name, t.Written(), n))
		return
	}
	whole := term.Input{Name: name, Type: t}.Components()
	tag := &leaf{name: whole[0].Name, typ: whole[0].Type, raw: raw, path: path, value: &eval.Value[float64]{Elem: types.B, N: []int64{0}}}
	taken := 1
	if n.kind == right {
		taken, tag.value.N[0] = 2, 1
	}
	b.leaves = append(b.leaves, tag)
	for k := 1; k <= 2; k++ {
		if k == taken {
			b.bind(whole[k].Name, whole[k].Type, raw, n.parts[0], append(slices.Clone(path), 0))
			continue
		}
		for _, l := range whole[k].Leaves() {
			zero := &leaf{name: l.Name, typ: l.Type, raw: raw, path: path, absent: l.Type.Rank() > 0, value: &eval.Value[float64]{Elem: l.Type.Elem}}
			if !zero.absent {
				zero.value, _ = eval.FloatArrays().New(l.Type)
			}
			b.leaves = append(b.leaves, zero)
		}
	}
}

// rows binds an array of tuples, which is written as lists of them: the arrays of its
// components are put together from those of the tuples.
func (b *binder) rows(name string, t *types.Type, raw *Raw, n node, path []int) {
	one, axes := t.Element()
	var shape []int
	first := len(b.leaves)
	count := 0
	var row func(n node, depth int, path []int) bool
	row = func(n node, depth int, path []int) bool {
		at := pathText(name, path)
		switch {
		case depth == len(axes):
			before, errs := len(b.leaves), len(b.errs)
			b.bind(at, one, raw, n, path)
			if count++; count > 1 && len(b.errs) == errs {
				return b.join(b.leaves[first:before], b.leaves[before:], before, count-1)
			}
			return len(b.errs) == errs
		case raw.Src == nil || !n.isList():
			b.add(raw.errorIn(path, "%s is %s, so that a list is expected, and this is %s", at, t.Written(), n))
			return false
		case depth == len(shape):
			shape = append(shape, n.count())
		case shape[depth] != n.count():
			b.add(raw.errorIn(path, "%s has %s, and the lists before it have %d: %s", at, diag.Count(n.count(), "item"), shape[depth], sameShape))
			return false
		}
		for i, item := range n.items() {
			if !row(item, depth+1, append(slices.Clone(path), i)) {
				return false
			}
		}
		return true
	}
	if !row(n, 0, path) {
		b.leaves = b.leaves[:first]
		return
	}
	whole := term.Input{Name: name, Type: t}.Leaves()
	if count == 0 {
		for _, l := range whole {
			e := &leaf{name: l.Name, typ: l.Type, shape: shape, raw: raw, path: path, value: &eval.Value[float64]{Elem: l.Type.Elem}}
			b.leaves = append(b.leaves, e)
		}
		return
	}
	for i, l := range b.leaves[first:] {
		l.name, l.typ, l.shape, l.path = whole[i].Name, whole[i].Type, append(slices.Clone(shape), l.shape...), path
	}
}

// Columns is a list of tuples that was read from a file as the tuple of arrays that an
// array of tuples of type t is. The error says what is wrong with its form.
func (r *Raw) Columns(t *types.Type) (*eval.Value[float64], error) {
	if r == nil || t == nil || t.Rows == 0 {
		return nil, errors.New("a list that was read and the type of an array of tuples are needed")
	}
	b := &binder{}
	b.rows("", t, r, r.val, nil)
	if err := b.errs.Err(); err != nil {
		return nil, err
	}
	return assembled(t, &b.leaves), nil
}

// assembled is a value of type t of the first leaves, which it takes.
func assembled(t *types.Type, leaves *[]*leaf) *eval.Value[float64] {
	if t.Kind != types.KTuple {
		l := (*leaves)[0]
		*leaves = (*leaves)[1:]
		l.value.Shape = l.shape
		return l.value
	}
	return &eval.Value[float64]{Parts: slice.Map(t.Parts, func(p *types.Type) *eval.Value[float64] { return assembled(p, leaves) })}
}

// join adds the elements of some leaves to those of others, of so many tuples, which are as
// many; only these stay among the leaves. What is absent of some tuples, being of another
// side of a sum, is zeros of the shape that it has in others.
func (b *binder) join(to, from []*leaf, keep, tuples int) bool {
	for i, l := range from {
		absent, like, n := l, to[i], 1
		if to[i].absent {
			absent, like, n = to[i], l, tuples
		}
		if absent.absent && like.absent {
			continue
		}
		if absent.absent && !absent.zeros(like.shape, n, like.value.Len()) {
			b.add(l.errorf("%s: an array of more than %d elements, most of which are zeros, as they are of another side of a sum", l.name, MaxElements))
			return false
		}
		if !slices.Equal(l.shape, to[i].shape) {
			b.add(l.errorf("%s has shape %s, and that of the tuple before it %s: %s", l.name, shapeText(l.shape), shapeText(to[i].shape), sameShape))
			return false
		}
		to[i].value.R = append(to[i].value.R, l.value.R...)
		to[i].value.N = append(to[i].value.N, l.value.N...)
	}
	b.leaves = b.leaves[:keep]
	return true
}

// zeros makes the leaf, which is absent, zeros of so many arrays of a shape, unless there are
// too many elements together with others.
func (l *leaf) zeros(shape []int, arrays, others int) bool {
	n := arrays
	for _, d := range shape {
		if n > 0 && d > (MaxElements-others)/n {
			return false
		}
		n *= d
	}
	l.shape, l.absent = slices.Clone(shape), false
	if l.value.Elem == types.R {
		l.value.R = make([]float64, n)
	} else {
		l.value.N = make([]int64, n)
	}
	return true
}

// array binds one array and adds it to the leaves.
func (b *binder) array(name string, t *types.Type, raw *Raw, n node, path []int) *diag.Error {
	if !n.plain() {
		if n.kind != mixed {
			return raw.errorIn(path, "%s is %s, and this is %s", name, t, n)
		}
		at, why := n.ragged(name, nil)
		return raw.errorIn(append(slices.Clone(path), at...), "%s: %s", why, sameShape)
	}
	shape, ok := asRank(n.shape, t.Rank(), raw)
	if !ok {
		return (&leaf{typ: t, raw: raw, path: path}).errorf("%s is %s, so that %s is expected, and this is %s", name, t, withArticle(form(t)), n)
	}
	l := &leaf{name: name, typ: t, shape: shape, raw: raw, path: path}
	if e := l.convert(n); e != nil {
		return e
	}
	b.leaves = append(b.leaves, l)
	return nil
}

// asRank is shape as that of an array of the given rank. The last axes are
// missing if the array is empty and was written as too few lists to tell them.
func asRank(shape []int, rank int, raw *Raw) ([]int, bool) {
	k := len(shape)
	switch {
	case k == rank:
		return shape, true
	case raw.table && k == 2 && rank == 1 && (shape[0] == 1 || shape[1] == 1):
		return []int{shape[0] * shape[1]}, true
	case raw.table && k == 2 && rank == 0 && shape[0] == 1 && shape[1] == 1:
		return nil, true
	case k > 0 && k < rank && shape[k-1] == 0 && raw.Src != nil:
		return shape, true
	}
	return nil, false
}

// convert makes the value of l from the elements of n.
func (l *leaf) convert(n node) *diag.Error {
	elem, size := l.typ.Elem, n.len()
	l.value = &eval.Value[float64]{Elem: elem}
	if size > 0 && elem != types.B && n.kind == truth {
		return l.errorf("%s is %s, so that numbers are expected, and this is %s", l.name, l.typ, n)
	}
	if l.raw.bare {
		return nil
	}
	if i := n.stray(elem); i >= 0 {
		return l.stray(n, i)
	}
	if elem == types.R {
		l.value.R = make([]float64, size)
		for i := range size {
			l.value.R[i] = n.nums.real(n.from + i)
		}
		return nil
	}
	l.value.N = make([]int64, size)
	for i := range size {
		l.value.N[i], _ = n.nums.integer(n.from + i)
	}
	return nil
}

// stray reports element i of n, which is none of the type.
func (l *leaf) stray(n node, i int) *diag.Error {
	number := n.nums.real(n.from + i)
	index := slice.Index(n.shape, i)
	path := append(slices.Clone(l.path), index...)
	text := strconv.FormatFloat(number, 'g', -1, 64)
	if src := l.raw.Src; src != nil {
		at := locate(src.Text, int(l.raw.Pos), path)
		text = clip(src.Text[at:skipValue(src.Text, at)])
	}
	expected := "an I is a whole number that fits 64 bits"
	if l.typ.Elem == types.B {
		expected = "a B is true or false, or 1 or 0"
	}
	return l.raw.errorIn(path, "%s is %s, and %s", pathText(l.name, index), text, expected)
}
