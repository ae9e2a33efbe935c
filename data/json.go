package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/raise"
)

// ReadJSON reads the inputs in a JSON object from input names to values. The
// error lists all findings, as a [diag.List].
func ReadJSON(src *diag.Source) (*Inputs, error) { return new(Reader).inputs(src) }

func (r *Reader) inputs(src *diag.Source) (_ *Inputs, err error) {
	defer raise.Caught(&err)
	p := raise.Must(r.parser(src))
	in := &Inputs{}
	in.addFile(src.Name)
	p.object(in)
	return in, p.errs.Err()
}

// ReadJSONValue reads one JSON value, the value of a single input, which is in no
// file; src.Name says where it is. The error
// lists all findings, as a [diag.List].
func ReadJSONValue(src *diag.Source) (*Raw, error) { return new(Reader).Text("", src) }

// Text reads one JSON value as [ReadJSONValue] does; messages name what is in it after
// the input, if that has a name.
func (r *Reader) Text(input string, src *diag.Source) (_ *Raw, err error) {
	defer raise.Caught(&err)
	r = r.orUnbounded()
	p := raise.Must(r.parser(src))
	p.space()
	if p.name = "the value"; input != "" {
		p.name = label(input)
	}
	raw := p.raw(p.pos)
	p.end()
	raise.Error(p.errs.Err())
	raw.File = ""
	return raw, nil
}

const (
	// maxParts bounds the items of lists that are not arrays; a tuple has few.
	maxParts = 1 << 16
	// maxInputs bounds the members of an object.
	maxInputs = 1 << 16
	// maxFindings ends a reading early: more is of no use to anybody.
	maxFindings = 100
)

// parser reads JSON into flat arrays. Findings after which there is no going on are
// raised; others do not stop it.
type parser struct {
	src  *diag.Source
	text string
	pos  int
	nums *numbers
	errs diag.List

	limit int    // of elements
	name  string // of the value being read
	path  []int  // of the item being read, below that value
	parts int    // items of mixed lists so far
	mute  int    // > 0 within a value that has been reported already
}

func newParser(src *diag.Source) *parser {
	return &parser{src: src, text: src.Text, nums: &numbers{}, limit: MaxElements}
}

// parser takes the memory for the elements of a text: there is one more than
// commas at most, whatever lists they are in.
func (r *Reader) parser(src *diag.Source) (*parser, error) {
	if src == nil {
		return nil, errors.New("there is no text to read")
	}
	most := strings.Count(src.Text, ",") + 1
	if err := r.take(src.Name, int64(most)*elementBytes); err != nil {
		return nil, err
	}
	p := newParser(src)
	p.nums.grow(min(most, p.limit))
	return p, nil
}

// fail reports what ends the reading.
func (p *parser) fail(pos int, format string, args ...any) {
	p.errs.Add(p.src, diag.Pos(pos), format, args...)
	raise.Error(p.errs.Err())
}

// report reports what does not; after many findings it does.
func (p *parser) report(pos int, format string, args ...any) {
	if p.mute == 0 {
		p.errs.Add(p.src, diag.Pos(pos), format, args...)
	}
	p.enough()
}

// enough ends the reading after many findings.
func (p *parser) enough() {
	if len(p.errs) >= maxFindings {
		raise.Error(p.errs.Err())
	}
}

func (p *parser) space() { p.pos = skipSpace(p.text, p.pos) }

// peek is the character at the position, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// found describes what is at the position.
func (p *parser) found() string {
	if p.pos >= len(p.text) {
		return "the end of the text"
	}
	switch c := p.text[p.pos]; {
	case c == '[':
		return "a list"
	case c == '{':
		return "an object"
	case c == '"':
		return "a string"
	case c == '-' || '0' <= c && c <= '9':
		return "a number"
	case isWord(c):
		return clip(p.text[p.pos:scanWord(p.text, p.pos)])
	default:
		return strconv.QuoteRune(rune(c))
	}
}

// end reports what follows the value of the text.
func (p *parser) end() {
	if p.space(); p.pos < len(p.text) {
		p.fail(p.pos, "the text has to end after its value, and here is %s", p.found())
	}
}

// object reads the object of all inputs.
func (p *parser) object(in *Inputs) {
	if p.space(); p.peek() != '{' {
		p.fail(p.pos, "an object {\"input\": value, …} is expected, and this is %s", p.found())
	}
	p.members(func(key string, keyPos int) {
		if len(in.names) == maxInputs {
			p.fail(keyPos, "more than %d inputs", maxInputs)
		}
		p.name = label(key)
		if err := in.add(key, p.raw(keyPos)); err != nil {
			p.errs = append(p.errs, err)
			p.enough()
		}
	})
	p.end()
}

// members reads the members of the object at the position; value reads the
// value of one.
func (p *parser) members(value func(key string, pos int)) {
	p.pos++
	if p.space(); p.peek() == '}' {
		p.pos++
		return
	}
	for more := true; more; more = p.more('}') {
		if p.peek() != '"' {
			p.fail(p.pos, "a name in quotes is expected, and this is %s", p.found())
		}
		pos := p.pos
		key := p.str()
		if p.space(); p.peek() != ':' {
			p.fail(p.pos, "a colon is expected after %s, and this is %s", label(key), p.found())
		}
		p.pos++
		p.space()
		value(key, pos)
	}
}

// more reads the comma or the closing bracket after an item, and reports whether another
// item follows.
func (p *parser) more(closing byte) bool {
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		if p.space(); p.peek() == closing {
			p.fail(p.pos, "JSON has no comma before %c", closing)
		}
		return true
	case closing:
		p.pos++
	default:
		p.fail(p.pos, "a comma or %c is expected, and this is %s", closing, p.found())
	}
	return false
}

// str reads a string.
func (p *parser) str() (s string) {
	end, ok := scanString(p.text, p.pos)
	if !ok {
		p.fail(p.pos, "this string has no closing quote on its line")
	}
	if err := json.Unmarshal([]byte(p.text[p.pos:end]), &s); err != nil {
		p.fail(p.pos, "this string is not JSON: %v", err)
	}
	p.pos = end
	return s
}

// raw reads a whole value whose name is at key.
func (p *parser) raw(key int) *Raw {
	r := &Raw{File: p.src.Name, Src: p.src, Pos: diag.Pos(p.pos), Key: diag.Pos(key)}
	r.val = p.value()
	return r
}

// value reads a value or an item of one.
func (p *parser) value() node {
	n := node{nums: p.nums, from: p.nums.len()}
	if n.from >= p.limit {
		p.fail(p.pos, "the text has more than the %d elements that are allowed", p.limit)
	}
	switch c := p.peek(); {
	case c == '[':
		return p.list()
	case c == '{':
		return p.strayObject()
	case c == '"':
		p.strayString()
	case isWord(c):
		n.kind = p.scalar()
	default:
		p.fail(p.pos, "a value is expected, and this is %s", p.found())
	}
	return n
}

// scalar reads a number or a word.
func (p *parser) scalar() kind {
	start := p.pos
	end, ok := scanNumber(p.text, start)
	if ok && (end == len(p.text) || !isWord(p.text[end])) {
		p.pos = end
		if !p.nums.addLiteral(p.text[start:end]) {
			p.nums.addInt(0)
			p.report(start, "%s is %s, which is out of the range of float64", p.here(), clip(p.text[start:end]))
		}
		return numeric
	}
	p.pos = scanWord(p.text, start)
	word := p.text[start:p.pos]
	switch word {
	case "true", "false":
		p.nums.addBool(word == "true")
		return truth
	case "null":
		p.report(start, "%s is null, which is no value", p.here())
	case "NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "Inf", "-Inf":
		p.report(start, "JSON has no %s: write \"NaN\", \"Infinity\" or \"-Infinity\", in quotes", word)
	default:
		p.report(start, "%s is not a number, true or false as JSON writes them", clip(word))
	}
	p.nums.addInt(0)
	return numeric
}

// here names the item being read.
func (p *parser) here() string { return pathText(p.name, p.path) }

// strayString reads a string where a number belongs; three of them are numbers.
func (p *parser) strayString() {
	start := p.pos
	switch s := p.str(); s {
	case "NaN":
		p.nums.addReal(math.NaN())
	case "Infinity":
		p.nums.addReal(math.Inf(1))
	case "-Infinity":
		p.nums.addReal(math.Inf(-1))
	default:
		p.nums.addInt(0)
		p.report(start, "%s is the string %s, and a number is expected", p.here(), clip(strconv.Quote(s)))
	}
}

// strayObject reads an object where a value belongs, to find what follows it.
func (p *parser) strayObject() node {
	n := node{nums: p.nums, from: p.nums.len()}
	p.checkDepth()
	if side, ok := p.side(); ok {
		return p.sided(n, side)
	}
	if p.numbered() {
		return p.components(n)
	}
	if p.mute == 0 {
		p.report(p.pos, "%s", p.stray())
	}
	p.mute++
	p.inside(func(string, int) {
		p.value()
		p.nums.truncate(n.from)
	})
	p.mute--
	p.nums.addInt(0)
	return n
}

// inside reads the members of the object at the position as items of it.
func (p *parser) inside(value func(key string, pos int)) {
	p.path = append(p.path, 0)
	p.members(value)
	p.path = p.path[:len(p.path)-1]
}

// part counts an item of a list of different items, or a value of a sum, at a position.
func (p *parser) part(pos int) {
	if p.parts++; p.parts > maxParts {
		p.fail(pos, "more than %d lists of different items, and values of sums", maxParts)
	}
}

// stray says what is wrong with the object at the position, which is no value.
func (p *parser) stray() string {
	keys := p.keys()
	if slices.Contains(keys, "inl") || slices.Contains(keys, "inr") {
		return fmt.Sprintf(`%s is an object of the members %s, and a value of a sum has exactly one, "inl" or "inr"`, p.here(), clip(strings.Join(keys, ", ")))
	}
	what := "an object"
	if len(keys) == 0 {
		what = "an empty object"
	}
	return fmt.Sprintf(`%s is %s, and a number, a list, components {"0": …, "1": …}, or of a sum exactly one of {"inl": …} and {"inr": …} is expected`, p.here(), what)
}

// keys are the names of the members of the object at the position, as far as it is one.
func (p *parser) keys() []string {
	var out []string
	at := *p
	for {
		key, ok := at.key()
		if !ok {
			return out
		}
		out = append(out, key)
		if !at.passValue() || at.peek() != ',' {
			return out
		}
	}
}

// key passes over the name of a member, after { or a comma, and gives it as it is written.
func (p *parser) key() (string, bool) {
	p.pos++
	p.space()
	if p.peek() != '"' {
		return "", false
	}
	start := p.pos
	end, ok := scanString(p.text, start)
	if !ok {
		return "", false
	}
	p.pos = end
	return p.text[start+1 : end-1], true
}

// passValue passes over the colon and the value of a member.
func (p *parser) passValue() bool {
	p.space()
	if p.peek() != ':' {
		return false
	}
	p.pos = skipValue(p.text, p.pos+1)
	p.space()
	return true
}

// side looks whether the object at the position is a value of a sum: it has one member, inl
// or inr.
func (p *parser) side() (kind, bool) {
	at := *p
	var side kind
	switch key, _ := at.key(); key {
	case "inl":
		side = left
	case "inr":
		side = right
	default:
		return 0, false
	}
	return side, at.passValue() && at.peek() == '}'
}

// sided reads a value of a sum.
func (p *parser) sided(n node, side kind) node {
	p.inside(func(string, int) { n.kind, n.parts = side, []node{p.value()} })
	p.part(p.pos)
	return n
}

// numbered looks whether the name of the first member of the object at the position is a
// number.
func (p *parser) numbered() bool {
	at := *p
	key, _ := at.key()
	_, err := strconv.Atoi(key)
	return err == nil
}

// components reads a tuple whose components have their numbers as names.
func (p *parser) components(n node) node {
	n.kind = object
	start := p.pos
	named := make(map[int]node)
	p.inside(func(key string, at int) {
		k, err := strconv.Atoi(key)
		if _, again := named[k]; again || err != nil || k < 0 || key != strconv.Itoa(k) {
			p.fail(at, "%s is no number of a component, or stands twice", label(key))
		}
		p.part(at)
		p.path[len(p.path)-1] = k
		named[k] = p.value()
	})
	for k := range len(named) {
		x, there := named[k]
		if !there {
			p.fail(start, "the object %s has no component %d, and one of a larger number", p.here(), k)
		}
		n.parts = append(n.parts, x)
	}
	return n
}

// checkDepth ends the reading of what is too deep.
func (p *parser) checkDepth() {
	if len(p.path) == MaxDepth {
		p.fail(p.pos, "the nesting is deeper than %d", MaxDepth)
	}
}

// list reads a list: as an array as long as its items have one form, and as a
// mixed list from the first that differs.
func (p *parser) list() node {
	out := node{nums: p.nums, from: p.nums.len()}
	p.checkDepth()
	begin := p.pos
	p.pos++
	if p.space(); p.peek() == ']' {
		p.pos++
		out.shape = []int{0}
		return out
	}
	p.path = append(p.path, 0)
	var first node
	n, more := 0, true
	for ; more; n++ {
		p.path[len(p.path)-1] = n
		start := p.pos
		item := p.value()
		switch {
		case out.kind == mixed:
			out.parts = append(out.parts, item)
		case n == 0 && item.plain():
			first = item
		case n == 0:
			out.kind, out.parts = mixed, []node{item}
		case !item.same(first):
			if p.parts+n > maxParts {
				p.ragged(start, difference(p.name, p.path, item, first))
			}
			out.kind, out.parts = mixed, append(first.repeat(n), item)
			p.parts += n
		}
		if out.kind == mixed {
			if p.parts++; p.parts > maxParts {
				above := p.path[:len(p.path)-1]
				at, why := out.ragged(p.name, above)
				p.ragged(locate(p.text, begin, at[len(above):]), why)
			}
		}
		more = p.more(']')
	}
	p.path = p.path[:len(p.path)-1]
	if out.kind != mixed {
		out.kind = first.kind
		out.shape = append([]int{n}, first.shape...)
	}
	return out
}

// ragged reports a list that is not an array and too long for a tuple.
func (p *parser) ragged(pos int, why string) {
	p.fail(pos, "%s: %s", why, sameShape)
}

// label shows a name; one that is no name of the language is shown in quotes.
func label(key string) string {
	odd := func(c rune) bool { return c >= 0x80 || !isWord(byte(c)) || c == '+' || c == '-' }
	if key == "" || strings.ContainsFunc(key, odd) {
		return clip(strconv.Quote(key))
	}
	return clip(key)
}

// clip shortens a piece of the text that is shown in a message.
func clip(s string) string {
	const shown = 40
	r := []rune(s[:min(len(s), 4*shown+4)])
	if len(r) <= shown {
		return s
	}
	return fmt.Sprintf("%s…", string(r[:shown]))
}
