// Convert turns a Gaussian mixture model of ADBench into the inputs of
// gmm.egad.
//
//	go run ./examples/gmm/convert < IN.txt > OUT.json
//	go run ./examples/gmm/convert IN.txt OUT.json
//
// The format of IN.txt is described in examples/gmm/data/README.md.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"egad/data"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run converts the file args[0] to the file args[1], or in to out if there are
// no arguments. A file is written only if the conversion succeeds.
func run(args []string, in io.Reader, out io.Writer) error {
	var b bytes.Buffer
	switch len(args) {
	case 0:
		if err := convert("standard input", in, &b); err != nil {
			return err
		}
		_, err := out.Write(b.Bytes())
		return err
	case 2:
		src, err := data.ReadText(args[0])
		if err != nil {
			return err
		}
		if err := convert(args[0], strings.NewReader(src.Text), &b); err != nil {
			return err
		}
		return os.WriteFile(args[1], b.Bytes(), 0o644)
	}
	return errors.New("usage: convert < IN.txt > OUT.json, or convert IN.txt OUT.json")
}

// convert writes the model that it reads from in, which is called name in
// errors.
func convert(name string, in io.Reader, out io.Writer) error {
	m, err := readModel(name, in)
	if err != nil {
		return err
	}
	return m.write(out)
}
