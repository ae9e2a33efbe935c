package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
)

// Inputs are raw values by the name of the parameter they are for, in the order
// in which they were given. The components of a tuple x may be given one by
// one, as x.0, x.1, …. The zero value has no inputs.
type Inputs struct {
	names  []string
	values map[string]*Raw
	files  []string
	spare  map[string]bool // they stand in files with several inputs, of which not all need be used
}

// Add gives the parameter name a value. It is an error if it has one already.
func (in *Inputs) Add(name string, value *Raw) error {
	if in == nil || value == nil {
		return errNoInputs
	}
	if err := in.add(name, value); err != nil {
		return err
	}
	return nil
}

// AddAll adds all inputs of more. The error lists the names that both have, as a
// [diag.List].
func (in *Inputs) AddAll(more *Inputs) error {
	if in == nil || more == nil {
		return errNoInputs
	}
	var errs diag.List
	for _, f := range more.files {
		in.addFile(f)
	}
	for _, name := range more.names {
		if err := in.add(name, more.values[name]); err != nil {
			errs = append(errs, err)
			continue
		}
		memo.Set(&in.spare, name, true)
	}
	return errs.Err()
}

// Override gives parameters the values of others, in place of those that they have.
func (in *Inputs) Override(by *Inputs) error {
	if in == nil || by == nil {
		return errNoInputs
	}
	for _, name := range by.names {
		for _, old := range slices.Clone(in.names) {
			if old == name || strings.HasPrefix(old, name+".") {
				delete(in.values, old)
				delete(in.spare, old)
				in.names = slices.DeleteFunc(in.names, func(s string) bool { return s == old })
			}
		}
		if err := in.add(name, by.values[name]); err != nil {
			return err
		}
	}
	return nil
}

// Names lists the inputs in the order in which they were given.
func (in *Inputs) Names() []string {
	if in == nil {
		return nil
	}
	return slices.Clone(in.names)
}

// Get is the value given for name, nil if there is none.
func (in *Inputs) Get(name string) *Raw {
	if in == nil {
		return nil
	}
	return in.values[name]
}

var errNoInputs = errors.New("there are no inputs: what reads data makes them")

func (in *Inputs) add(name string, value *Raw) *diag.Error {
	if old := in.values[name]; old != nil {
		return value.errorAt(value.Key, "%s is given twice (first in %s)", label(name), old.place())
	}
	memo.Set(&in.values, name, value)
	in.names = append(in.names, name)
	in.addFile(value.File)
	return nil
}

func (in *Inputs) addFile(name string) {
	if name != "" && !slices.Contains(in.files, name) {
		in.files = append(in.files, name)
	}
}

// list names the inputs in a message.
func (in *Inputs) list() string {
	const shown = 12
	names := slice.Map(in.names, label)
	switch n := len(names); {
	case n == 0:
		return "no input"
	case n > shown:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), n-shown)
	default:
		return strings.Join(names, ", ")
	}
}

// place is where the value was read, for use within a message.
func (r *Raw) place() string {
	if r.Src == nil {
		return r.File
	}
	return fmt.Sprintf("%s, line %d", r.Src.Name, r.Src.Line(r.Key))
}

// errorAt is a finding at a position of the text, or in the file if the value
// is not from a text.
func (r *Raw) errorAt(pos diag.Pos, format string, args ...any) *diag.Error {
	if r.Src == nil {
		return diag.Errorf(nil, 0, "%s: %s", r.File, fmt.Sprintf(format, args...))
	}
	return diag.Errorf(r.Src, pos, format, args...)
}

// errorIn is a finding at the item at path.
func (r *Raw) errorIn(path []int, format string, args ...any) *diag.Error {
	pos := r.Pos
	if r.Src != nil && !r.bare {
		pos = diag.Pos(locate(r.Src.Text, int(r.Pos), path))
	}
	return r.errorAt(pos, format, args...)
}
