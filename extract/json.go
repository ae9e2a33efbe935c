package extract

import (
	"encoding/json"
	"slices"

	"egad/diag"
)

// place says what a value is, for messages; nil is the whole.
type place func() string

func called(what string) place { return func() string { return what } }

// of is a field of something, or a part of a field; in is what joins their names.
func (p place) of(field, in string) place {
	return func() string { return field + in + p() }
}

func (p place) each() place { return func() string { return "an entry of " + p() } }

// object reads an object, in the order of the text. It is false if there is
// another value, which is passed over.
func (r *reader) object(what place, field func(key string, pos diag.Pos) error) (bool, error) {
	pos := r.pos()
	t, err := r.dec.Token()
	if err != nil {
		return false, err
	}
	if t != json.Delim('{') {
		return false, r.wrong(pos, what, "an object", t)
	}
	for r.dec.More() {
		pos := r.pos()
		t, err := r.dec.Token()
		if err != nil {
			return false, err
		}
		if err := field(t.(string), pos); err != nil {
			return false, err
		}
	}
	_, err = r.dec.Token()
	return true, err
}

// maxFields bounds the fields of a record of which no two may have one name.
const maxFields = 32

// record reads an object that has each field once; a field that is null is missing.
func (r *reader) record(what place, field func(key string) error) (bool, error) {
	seen := make([]string, 0, 8)
	return r.object(what, func(key string, pos diag.Pos) error {
		if slices.Contains(seen, key) {
			r.errs.Add(r.src, pos, "%s is there twice", key)
		} else if len(seen) < maxFields {
			seen = append(seen, key)
		}
		if p := int(r.pos()); p < len(r.src.Text) && r.src.Text[p] == 'n' {
			return r.skip()
		}
		return field(key)
	})
}

// list reads a list.
func (r *reader) list(what place, entry func() error) error {
	pos := r.pos()
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return r.wrong(pos, what, "a list", t)
	}
	for r.dec.More() {
		if err := entry(); err != nil {
			return err
		}
	}
	_, err = r.dec.Token()
	return err
}

// value reads a value that is no object and no list.
func (r *reader) value(what place, want string, accept func(t json.Token) bool) error {
	pos := r.pos()
	t, err := r.dec.Token()
	if err != nil || accept(t) {
		return err
	}
	return r.wrong(pos, what, want, t)
}

// text reads a string. It is false if there is none.
func (r *reader) text(what place) (s string, ok bool, err error) {
	err = r.value(what, "a string", func(t json.Token) bool {
		s, ok = t.(string)
		return ok
	})
	return s, ok, err
}

// texts reads a list of strings.
func (r *reader) texts(what place) ([]string, error) {
	var out []string
	err := r.list(what, func() error {
		s, ok, err := r.text(what.each())
		if ok {
			out = append(out, s)
		}
		return err
	})
	return out, err
}

// skip passes a value over.
func (r *reader) skip() error {
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	return r.rest(t)
}

// rest passes over what follows the first token of a value.
func (r *reader) rest(t json.Token) error {
	depth := 0
	for {
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
		var err error
		if t, err = r.dec.Token(); err != nil {
			return err
		}
	}
}

// wrong reports that a value that begins with t is of the wrong kind, and passes
// it over.
func (r *reader) wrong(pos diag.Pos, what place, want string, t json.Token) error {
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
	return r.rest(t)
}
