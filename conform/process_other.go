//go:build !unix

package conform

import (
	"io"
	"os"
	"os/exec"
)

// Without process groups a subject's own children are not ended with it.

func ownGroup(*exec.Cmd)      {}
func terminate(p *os.Process) { _ = p.Kill() } // no polite signal; an error says that it is gone
func killGroup(p *os.Process) { _ = p.Kill() }

// Everything is written by the goroutine.
func tryWriter(io.Writer) func(text []byte) (n int) { return nil }

// A read with a short deadline does it.
func tryReader(io.Reader) func(buf []byte) (n int, err error) { return nil }
