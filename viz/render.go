package viz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Formats are the image formats that [Render] is asked for.
var Formats = []string{"svg", "png", "pdf"}

// ErrNoGraphviz is found where an image is asked for and Graphviz is not
// installed.
var ErrNoGraphviz = errors.New("the program dot of Graphviz (https://graphviz.org) is not installed, which lays out pictures")

// Installed is an [ErrNoGraphviz] if there is no Graphviz.
func Installed() error {
	if _, err := exec.LookPath("dot"); err != nil {
		return ErrNoGraphviz
	}
	return nil
}

// Render lays out the text of a picture by Graphviz, as an image of a format.
func Render(ctx context.Context, text, format string) ([]byte, error) {
	if err := Installed(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "dot", "-T"+format)
	cmd.Stdin = strings.NewReader(text)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("dot did not end in time: %w", ctx.Err())
		}
		return nil, fmt.Errorf("dot: %w\n%s", err, strings.TrimSpace(errOut.String()))
	}
	return out.Bytes(), nil
}
