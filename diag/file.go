package diag

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"
)

// MaxFileBytes bounds a program or rule file.
const MaxFileBytes = 16 << 20

// ReadSource reads a program or rule file, of at most [MaxFileBytes].
func ReadSource(path string) (*Source, error) { return ReadText(path, MaxFileBytes) }

// ReadText reads a text file of at most limit bytes, without its byte order
// mark. A file that is not UTF-8 text is an error.
func ReadText(path string, limit int64) (*Source, error) {
	f, size, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(int(size))
	// A pipe or a device has no size beforehand, so that the bound is checked
	// here too.
	if _, err := io.Copy(&b, io.LimitReader(f, limit+1)); err != nil {
		return nil, plain(path, err)
	}
	if int64(b.Len()) > limit {
		return nil, tooLarge(path, limit)
	}
	text := b.String()
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("%s: not a text file (UTF-8)", path)
	}
	return &Source{Name: path, Text: strings.TrimPrefix(text, "\ufeff")}, nil
}

// Open opens a file that is not a directory and that has at most limit bytes,
// and gives its size, which is 0 for pipes and devices.
func Open(path string, limit int64) (*os.File, int64, error) {
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
	case st.Size() > limit:
		err = tooLarge(path, limit)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

func tooLarge(path string, limit int64) error {
	return fmt.Errorf("%s: more than the %d bytes that such a file may have", path, limit)
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
