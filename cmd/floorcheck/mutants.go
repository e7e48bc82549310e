package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/internal/sources"
	"github.com/floorcheck/floorcheck/props/strength"
)

const strengthFile = "build/strength.json"

func newMutants() *cobra.Command {
	var from, format string
	var list bool
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "Print the kill matrix: which planted faults are found, by which driver",
		Long: `mutants prints what make strength measured. It refuses a file that was made from
other sources than those that are here. --list prints the planted faults
themselves, each of which floorcheck serve mutant/ID speaks for.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if list {
				return listMutants(cmd.OutOrStdout())
			}
			if format != "text" && format != "json" {
				return usage(meant(format, []string{"text", "json"}), "-o: must be text or json, got %q", format)
			}
			m, err := readStrength(from)
			if err != nil {
				return err
			}
			if format == "json" {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(m)
			}
			return printMatrix(cmd.OutOrStdout(), m)
		},
	}
	cmd.Flags().StringVar(&from, "from", strengthFile, "the `FILE` that make strength wrote")
	cmd.Flags().StringVarP(&format, "output", "o", "text", "the `FORMAT`: text or json")
	cmd.Flags().BoolVar(&list, "list", false, "list the planted faults instead")
	complete(cmd, "output", "text", "json")
	return cmd
}

// readStrength reads the measurement and makes sure that it is about these
// sources.
func readStrength(path string) (*strength.Matrix, error) {
	const again = "make strength (SEEDS=3 takes minutes, the default 30 longer)"
	m, err := strength.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("run "+again, "%s is not there: nothing was measured yet", path)
	case err != nil:
		return nil, usage("run "+again, "%v", err)
	}
	root, err := sources.Root(".")
	if err != nil {
		return nil, usage("run it in a clone of floorcheck", "%s cannot be compared with the sources: %v", path, err)
	}
	digest, err := sources.Digest(root)
	if err != nil {
		return nil, err
	}
	if m.Sources != digest {
		return nil, usage("run "+again, "%s was made from other sources (%s, here are %s)", path, m.Sources, digest)
	}
	return m, nil
}

func listMutants(w io.Writer) error {
	for _, m := range mutant.All() {
		if _, err := fmt.Fprintf(w, "%-40s %-9s %-3s %s\n", m.ID, m.Family, m.Hardness, m.About); err != nil {
			return err
		}
	}
	return nil
}

func printMatrix(w io.Writer, m *strength.Matrix) error {
	fmt.Fprintf(w, "%s, %s; each cell: runs that killed / runs, median cases\n\n",
		report.Count(len(m.Mutants), "mutant"), report.Count(m.Seeds, "seed"))
	fmt.Fprintf(w, "%-40s %-4s", "mutant", "hard")
	for _, d := range strength.Drivers {
		fmt.Fprintf(w, " %15s", d)
	}
	fmt.Fprintf(w, "  %9s  %s\n", "size/min", "rules that object (may)")
	for _, row := range m.Mutants {
		fmt.Fprintf(w, "%-40s %-4s", row.ID, row.Hardness)
		for _, name := range strength.Drivers {
			fmt.Fprintf(w, " %15s", cell(row, name))
		}
		fmt.Fprintf(w, "  %9s  %s\n", fmt.Sprintf("%d/%d", row.Size, row.Minimum), objecting(row))
	}
	if len(m.Survivors) == 0 {
		_, err := fmt.Fprintln(w, "\nno survivors")
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s:\n  %s\n", report.Count(len(m.Survivors), "survivor"), strings.Join(m.Survivors, "\n  "))
	return err
}

func cell(row strength.Row, name string) string {
	d, ok := row.Drivers[name]
	switch {
	case !ok && name == "exhaustive" && row.Hidden != "":
		return "hidden"
	case !ok:
		return "not run"
	}
	return fmt.Sprintf("%d/%d %d", d.Killed, d.Runs, d.MedianCases)
}

func objecting(row strength.Row) string {
	out := strings.Join(row.Must, " ")
	if len(row.May) > 0 {
		out += " (" + strings.Join(row.May, " ") + ")"
	}
	return out
}
