package main

import (
	"encoding/json"
	"io"
	"strings"

	"egad/diag"
	"egad/internal/raise"

	"github.com/spf13/cobra"
)

// output passes on what is written, and keeps the first error: no write is lost
// without a word, whoever made it.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// people is where a command writes what people read, which may have names and text
// from files in it: what is not visible is shown as what it is.
func people(cmd *cobra.Command) io.Writer { return visible{cmd.OutOrStdout()} }

type visible struct{ to io.Writer }

func (v visible) Write(p []byte) (int, error) {
	if _, err := io.WriteString(v.to, diag.PrintableLines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// message is the text of an error of a command with these arguments. A line end
// in an argument, as in the name of a file, does not end a line of the message.
func message(err error, args []string) string {
	text := err.Error()
	for _, a := range args {
		for part := a; strings.ContainsAny(a, "\n\t"); {
			// A part of the message may have been made visible already.
			text = strings.NewReplacer(part, diag.Printable(part), diag.PrintableLines(part), diag.Printable(part)).Replace(text)
			_, rest, more := strings.Cut(part, "=")
			if !more {
				break
			}
			part = rest
		}
	}
	return diag.PrintableLines(text)
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	raise.Error(out.Encode(v))
}
