package data

import (
	"fmt"
	"path/filepath"
	"strings"

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
		raw, err := ReadJSONValue(src)
		if raw != nil {
			raw.File = path
		}
		return raw, err
	}
	return nil, fmt.Errorf("%s: the value of an input is in a .json, .csv or .npy file", path)
}

// ReadText reads a text file of at most [MaxFileBytes]; see [diag.ReadText].
func ReadText(path string) (*diag.Source, error) { return diag.ReadText(path, MaxFileBytes) }
