// Package bench measures the hot paths and the harness itself, each beside an
// anchor of the same run: absolute times on a shared machine mean little.
// `go run ./bench/ratios` runs all of it, interleaved, and prints the ratios;
// baseline/README.md says how runs are compared.
package bench
