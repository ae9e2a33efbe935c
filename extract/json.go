package extract

import (
	"encoding/json"
	"slices"

	"egad/diag"
	"egad/internal/raise"
)

// place says what a value is, for messages; nil is the whole.
type place func() string

func called(what string) place { return func() string { return what } }

// of is a field of something, or a part of a field; in is what joins their names.
func (p place) of(field, in string) place {
	return func() string { return field + in + p() }
}

func (p place) each() place { return func() string { return "an entry of " + p() } }

// token reads a token; the error of a text that has none is raised.
func (r *reader) token() json.Token { return raise.Must(r.dec.Token()) }

// object reads an object, in the order of the text. It is false if there is
// another value, which is passed over.
func (r *reader) object(what place, field func(key string, pos diag.Pos)) bool {
	pos := r.pos()
	if t := r.token(); t != json.Delim('{') {
		r.wrong(pos, what, "an object", t)
		return false
	}
	for r.dec.More() {
		pos := r.pos()
		field(r.token().(string), pos)
	}
	r.token()
	return true
}

// maxFields bounds the fields of a record of which no two may have one name.
const maxFields = 32

// record reads an object that has each field once; a field that is null is missing.
func (r *reader) record(what place, field func(key string)) bool {
	seen := make([]string, 0, 8)
	return r.object(what, func(key string, pos diag.Pos) {
		if slices.Contains(seen, key) {
			r.errs.Add(r.src, pos, "%s is there twice", key)
		} else if len(seen) < maxFields {
			seen = append(seen, key)
		}
		if p := int(r.pos()); p < len(r.src.Text) && r.src.Text[p] == 'n' {
			r.skip()
			return
		}
		field(key)
	})
}

// list reads a list.
func (r *reader) list(what place, entry func()) {
	pos := r.pos()
	if t := r.token(); t != json.Delim('[') {
		r.wrong(pos, what, "a list", t)
		return
	}
	for r.dec.More() {
		entry()
	}
	r.token()
}

// value reads a value that is no object and no list.
func (r *reader) value(what place, want string, accept func(t json.Token) bool) {
	pos := r.pos()
	if t := r.token(); !accept(t) {
		r.wrong(pos, what, want, t)
	}
}

// text reads a string. It is false if there is none.
func (r *reader) text(what place) (s string, ok bool) {
	r.value(what, "a string", func(t json.Token) bool {
		s, ok = t.(string)
		return ok
	})
	return s, ok
}

// texts reads a list of strings.
func (r *reader) texts(what place) (out []string) {
	r.list(what, func() {
		if s, ok := r.text(what.each()); ok {
			out = append(out, s)
		}
	})
	return out
}

// skip passes a value over.
func (r *reader) skip() { r.rest(r.token()) }

// rest passes over what follows the first token of a value.
func (r *reader) rest(t json.Token) {
	depth := 0
	for {
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return
		}
		t = r.token()
	}
}

// wrong reports that a value that begins with t is of the wrong kind, and passes
// it over.
func (r *reader) wrong(pos diag.Pos, what place, want string, t json.Token) {
	found := "null"
	switch t := t.(type) {
	case json.Delim:
		found = "an object"
		if t == '[' {
			found = "a list"
		}
	case string:
		found = "a string"
	case json.Number:
		found = "a number"
	case bool:
		found = "true or false"
	}
	subject := ""
	if what != nil {
		subject = what() + ": "
	}
	r.errs.Add(r.src, pos, "%sexpected %s, found %s", subject, want, found)
	r.rest(t)
}
