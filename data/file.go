package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"egad/diag"
	"egad/term/types"
)

// Bounds of what is read.
const (
	MaxFileBytes = 1 << 30                  // bytes of one file
	MaxElements  = types.DefaultMaxElements // elements of all arrays of one file
	MaxDepth     = 16                       // lists and objects within each other
)

// Reader reads inputs, and keeps account of the memory that they take. The zero
// value has no bound but those of single files.
type Reader struct {
	// Memory bounds the bytes of all that is read, with the arrays that [Bind]
	// makes of it.
	Memory int64
	used   int64
}

// MemoryError is the error of data that does not fit into [Reader.Memory].
type MemoryError struct {
	Name  string // of the file
	Limit int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s: with this, the data takes more than the %s of memory that are allowed", e.Name, diag.Bytes(e.Limit))
}

// elementBytes is what an element takes, as it was read and in the array that is
// made of it.
const elementBytes = 8 + 1 + 8

// orUnbounded is r, or where there is none a reader without a bound.
func (r *Reader) orUnbounded() *Reader {
	if r == nil {
		return new(Reader)
	}
	return r
}

// take is called before so many bytes are taken for the file name.
func (r *Reader) take(name string, n int64) error {
	if r.used += n; r.Memory > 0 && r.used > r.Memory {
		return &MemoryError{name, r.Memory}
	}
	return nil
}

// JSON reads a file that holds an object from input names to values.
func (r *Reader) JSON(path string) (*Inputs, error) {
	r = r.orUnbounded()
	src, err := r.text(path)
	if err != nil {
		return nil, err
	}
	return r.inputs(src)
}

// Value reads the value of one input from a .json, .csv or .npy file; messages name what is
// in it after the input, if that has a name.
func (r *Reader) Value(input, path string) (*Raw, error) {
	r = r.orUnbounded()
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".npy":
		return r.npy(path)
	case ".csv", ".json", "": // a device, as of a shell's <(…)
		src, err := r.text(path)
		if err != nil {
			return nil, err
		}
		if ext == ".csv" {
			return r.csv(src, MaxElements)
		}
		raw, err := r.Text(input, src)
		if raw != nil {
			raw.File = path
		}
		return raw, err
	}
	return nil, fmt.Errorf("%s: the value of an input is in a .json, .csv or .npy file", path)
}

// text reads a text file.
func (r *Reader) text(path string) (*diag.Source, error) {
	limit := int64(MaxFileBytes)
	if r.Memory > 0 {
		limit = min(limit, max(0, r.Memory-r.used))
	}
	src, err := diag.ReadText(path, limit)
	if _, large := errors.AsType[*diag.TooLarge](err); large && limit < MaxFileBytes {
		err = &MemoryError{path, r.Memory}
	}
	if err != nil {
		return nil, err
	}
	return src, r.take(path, int64(len(src.Text)))
}

// ReadValue reads the value of one input from a .json, .csv or .npy file.
func ReadValue(path string) (*Raw, error) { return new(Reader).Value("", path) }

// ReadText reads a text file of at most [MaxFileBytes]; see [diag.ReadText].
func ReadText(path string) (*diag.Source, error) { return diag.ReadText(path, MaxFileBytes) }
