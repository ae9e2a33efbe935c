package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"egad/diag"
	"egad/term"
)

// Bounds of what is read.
const (
	MaxFileBytes = 1 << 30                 // bytes of one file
	MaxElements  = term.DefaultMaxElements // elements of all arrays of one file
	MaxDepth     = 16                      // lists and objects within each other
)

// ReadValue reads the value of one input from a .json, .csv or .npy file.
func ReadValue(path string) (*Raw, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npy":
		return ReadNPY(path)
	case ".csv":
		return ReadCSV(path)
	case ".json":
		src, err := ReadText(path)
		if err != nil {
			return nil, err
		}
		return ReadJSONValue(src)
	}
	return nil, fmt.Errorf("%s: the value of an input is in a .json, .csv or .npy file", path)
}

// ReadText reads a text file of at most [MaxFileBytes], without its byte order
// mark. A file that is not UTF-8 text is an error.
func ReadText(path string) (*diag.Source, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(int(size))
	// A pipe has no size beforehand, so that the bound is checked here too.
	if _, err := io.Copy(&b, io.LimitReader(f, MaxFileBytes+1)); err != nil {
		return nil, plain(path, err)
	}
	if b.Len() > MaxFileBytes {
		return nil, tooLarge(path)
	}
	text := b.String()
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("%s: not a text file (UTF-8)", path)
	}
	return &diag.Source{Name: path, Text: strings.TrimPrefix(text, "\ufeff")}, nil
}

// open opens a file that is not a directory and not too large.
func open(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, plain(path, err)
	}
	st, err := f.Stat()
	switch {
	case err != nil:
		err = plain(path, err)
	case st.IsDir():
		err = fmt.Errorf("%s: is a directory, not a file", path)
	case st.Size() > MaxFileBytes:
		err = tooLarge(path)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

func tooLarge(path string) error {
	return fmt.Errorf("%s: more than the %d bytes that a data file may have", path, MaxFileBytes)
}

// plain says what went wrong with a path without the name of a system call.
func plain(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied", path)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
