// Package sources tells whether a result was made from the sources that are
// here now.
package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const module = "module github.com/floorcheck/floorcheck\n"

// ErrNoTree says that there are no sources around to compare with.
var ErrNoTree = errors.New("not inside the project's source tree")

// Root finds the project's root at or above dir. The error is ErrNoTree.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find sources: %w", err)
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), module) {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ErrNoTree
		}
		dir = up
	}
}

// rooms are the folders whose code decides how strong the harness is.
var rooms = []string{"floor", "model", "engine", "conform", "props", "corpora", "fuzz"}

// Digest is over every Go file, tests left out but for those that are drivers
// (props, fuzz), and over the embedded data, in a fixed order.
func Digest(root string) (string, error) {
	var files []string
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case counts(path, room):
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return "", fmt.Errorf("digest sources: %w", err)
		}
	}
	slices.Sort(files)
	h := sha256.New()
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("digest sources: %w", err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return "", fmt.Errorf("digest sources: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(name), len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

func counts(path, room string) bool {
	switch filepath.Ext(path) {
	case ".json":
		return true
	case ".go":
		return !strings.HasSuffix(path, "_test.go") || room == "props" || room == "fuzz"
	}
	return false
}
