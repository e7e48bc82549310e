// Ratios runs the benchmarks of package bench, interleaved, and prints how
// each stands to its anchor and to its goal. Run it in the module's root:
//
//	go run ./bench/ratios                     everything, about two minutes
//	go run ./bench/ratios -bench Decision     some of it
//	go run ./bench/ratios -from build/bench.txt    the table of an earlier run
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.count, "count", 10, "rounds; each runs every benchmark once")
	flag.StringVar(&o.benchtime, "benchtime", "50ms", "how long a benchmark runs in a round")
	flag.StringVar(&o.bench, "bench", ".", "which benchmarks")
	flag.StringVar(&o.out, "out", "build/bench.txt", "where the benchmark text goes")
	flag.StringVar(&o.from, "from", "", "print the table of this text and run nothing")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

type options struct {
	count                       int
	benchtime, bench, out, from string
}

func run(o options) error {
	if o.from == "" {
		if err := measure(o); err != nil {
			return err
		}
		o.from = o.out
	}
	text, err := os.Open(o.from)
	if err != nil {
		return err
	}
	defer text.Close()
	measured, err := read(text, o.from)
	if err != nil {
		return err
	}
	return write(os.Stdout, goals, measured)
}

// measure runs the benchmarks round by round rather than each many times in a
// row: what a busy neighbour spoils, it spoils for a benchmark and its anchor.
func measure(o options) error {
	dir, err := os.MkdirTemp("", "floorcheck-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "bench.test")
	if err := command("go", "test", "-c", "-o", binary, "./bench").Run(); err != nil {
		return fmt.Errorf("build the benchmarks: %w", err)
	}
	var text bytes.Buffer
	fmt.Fprintln(&text, machine())
	start := time.Now()
	for round := range o.count {
		c := command(binary, "-test.run=^$", "-test.bench="+o.bench, "-test.benchtime="+o.benchtime)
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Run(); err != nil {
			return fmt.Errorf("run the benchmarks: %w\n%s", err, out.Bytes())
		}
		text.Write(out.Bytes())
		fmt.Fprintf(os.Stderr, "\rround %d of %d, %s ", round+1, o.count, time.Since(start).Round(time.Second))
	}
	fmt.Fprintln(os.Stderr)
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(o.out, text.Bytes(), 0o644)
}

func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = io.Discard, os.Stderr
	return c
}

// machine is a note that tells runs apart. benchstat takes it for a comment.
func machine() string {
	load := "unknown"
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		if fields := strings.Fields(string(data)); len(fields) > 0 {
			load = fields[0]
		}
	}
	return fmt.Sprintf("# machine: %d cores, %s, load %s at the start", runtime.NumCPU(), runtime.Version(), load)
}
