// Package strength measures how strong the harness is: which planted faults
// are found, by which driver, after how many cases, and how small the
// counterexample comes out. The measuring itself is a test, run by make
// strength; this is what it writes and what floorcheck mutants prints.
package strength

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// Format names the JSON of a matrix.
const Format = "floorcheck-mutants/1"

// A Matrix is one measurement.
type Matrix struct {
	Format    string   `json:"format"`
	Seeds     int      `json:"seeds"`
	Sources   string   `json:"sources"` // digest of the sources that it was made from
	Mutants   []Row    `json:"mutants"`
	Survivors []string `json:"survivors"` // "driver mutant", where a driver that should kill did not in every run
}

// A Row is one mutant's.
type Row struct {
	ID       string            `json:"id"`
	Family   string            `json:"family"`
	Hardness string            `json:"hardness"`
	Must     []string          `json:"must"`
	May      []string          `json:"may"`
	Objected []string          `json:"objected"` // in any run
	Size     int               `json:"size"`     // of the shrunk counterexample, median over runs
	Minimum  int               `json:"minimum"`
	Proved   bool              `json:"proved"`
	Same     string            `json:"same"` // how many of the shrunk counterexamples are the same case, e.g. "12/12"
	Hidden   string            `json:"hidden,omitempty"`
	Drivers  map[string]Driver `json:"drivers"`
}

// A Driver is how one driver did on one mutant.
type Driver struct {
	Killed      int `json:"killed"` // runs
	Runs        int `json:"runs"`
	MedianCases int `json:"median_cases"` // over the runs that killed
}

// Drivers are the names, in the order in which they are printed.
var Drivers = []string{"rapid", "gopter", "seeded", "bytes", "fuzz", "exhaustive"}

// Budget is how many cases a driver has for a mutant of this hardness.
func Budget(hardness string) int {
	switch {
	case len(hardness) > 0 && hardness[0] == 'E':
		return 100
	case len(hardness) > 0 && hardness[0] == 'M':
		return 10_000
	}
	return 1_000_000
}

// Read reads a matrix.
func Read(path string) (*Matrix, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m Matrix
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s: is not a strength file: %w", path, err)
	}
	if m.Format != Format {
		return nil, fmt.Errorf("%s: format: must be %q, got %q", path, Format, m.Format)
	}
	return &m, nil
}

// Median is the middle of the numbers, the lower one of two; 0 of none.
func Median(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[(len(sorted)-1)/2]
}
