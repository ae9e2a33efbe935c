package diag

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// MaxFileBytes bounds a program or rule file, unless [AllowFiles] says otherwise.
const MaxFileBytes = 16 << 20

// allowed is how many bytes a program or rule file may have.
var allowed atomic.Int64

func init() { allowed.Store(MaxFileBytes) }

// AllowFiles sets how many bytes a program or rule file may have in this process,
// and in proportion how many words if that is more than usual.
func AllowFiles(bytes int64) { allowed.Store(bytes) }

// Words returns how many words a text may have, where it is n of a file of
// [MaxFileBytes]; smaller files may have as many.
func Words(n int) int { return max(n, int(float64(n)*float64(allowed.Load())/MaxFileBytes)) }

// ReadSource reads a program or rule file, of at most [MaxFileBytes], or what
// [AllowFiles] says.
func ReadSource(path string) (*Source, error) { return ReadText(path, allowed.Load()) }

// ReadText reads a text file of at most limit bytes, without its byte order
// mark. A file that is not UTF-8 text is an error.
func ReadText(path string, limit int64) (*Source, error) {
	f, size, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gather(f, size, limit)
	switch {
	case errors.Is(err, errNoText) || err == nil && !utf8.ValidString(text):
		return nil, fmt.Errorf("%s: not a text file (UTF-8)", path)
	case errors.Is(err, errTooLarge):
		return nil, &TooLarge{path, limit}
	case err != nil:
		return nil, plain(path, err)
	}
	return &Source{Name: path, Text: strings.TrimPrefix(text, "\ufeff")}, nil
}

// What [gather] does not go on from.
var (
	errNoText   = errors.New("a byte that is 0")
	errTooLarge = errors.New("more than the limit")
)

// gather reads a text of at most limit bytes, about size of them. A pipe or a
// device has no size beforehand: it is read piece by piece, so that no buffer
// grows by copies, up to what shows that it is no text.
func gather(r io.Reader, size, limit int64) (string, error) {
	const piece = 1 << 20
	var pieces []string
	total := int64(0)
	for n := size; total <= limit; n = piece {
		if n = min(n, limit+1-total); n == 0 {
			continue
		}
		var b strings.Builder
		b.Grow(int(n))
		read, err := io.CopyN(&b, r, n)
		if strings.IndexByte(b.String(), 0) >= 0 {
			return "", errNoText
		}
		if read > 0 {
			pieces = append(pieces, b.String())
		}
		if total += read; err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	if total > limit {
		return "", errTooLarge
	}
	return strings.Join(pieces, ""), nil
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
		err = &TooLarge{path, limit}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

// TooLarge is the error of a file that has more bytes than allowed.
type TooLarge struct {
	Path  string
	Limit int64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s: more than the %d bytes that such a file may have", e.Path, e.Limit)
}

// pathError is what went wrong with a path.
type pathError struct {
	text  string
	cause error
}

func (e *pathError) Error() string { return e.text }
func (e *pathError) Unwrap() error { return e.cause }

// plain says what went wrong with a path without the name of a system call.
func plain(path string, err error) error {
	what := err
	switch pe, _ := errors.AsType[*fs.PathError](err); {
	case errors.Is(err, fs.ErrNotExist):
		what = errors.New("no such file")
	case errors.Is(err, fs.ErrPermission):
		what = errors.New("permission denied")
	case pe != nil:
		what = pe.Err
	}
	return &pathError{fmt.Sprintf("%s: %s", path, what), err}
}
