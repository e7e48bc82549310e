package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/strength"
	"github.com/floorcheck/floorcheck/props/suite"
)

// schemas are the shapes of what is read and written.
var schemas = []struct {
	name  string
	about string
	value any
}{
	{"report", "what check -o json writes", report.JSONReport{}},
	{"counterexample", "a file under failures/", conform.File{}},
	{"mutants", "what make strength writes", strength.Matrix{}},
	{"hello", "the answer to hello", conform.Hello{}},
	{"decide.in", "the in of a decide request", floor.DecideIn{}},
	{"decide.out", "the out of a decide answer", floor.DecideOut{}},
	{"derive.in", "the in of a derive request", floor.DeriveIn{}},
	{"derive.out", "the out of a derive answer", floor.DeriveOut{}},
	{"certify.in", "the in of a certify request", floor.CertifyIn{}},
	{"certify.out", "the out of a certify answer", floor.CertifyOut{}},
	{"compact.in", "the in of a compact request", floor.CompactIn{}},
	{"compact.out", "the out of a compact answer", floor.CompactOut{}},
	{"reduce.in", "the in of a reduce request", floor.ReduceIn{}},
	{"reduce.out", "the out of a reduce answer", reduceOut{}},
}

// reduceOut is either of the two shapes of a reduce answer: messages, with a mark
// and a generation if it gives any, or a refusal with its reason.
type reduceOut struct {
	Messages   []floor.Message `json:"messages,omitempty"`
	Mark       floor.Mark      `json:"mark,omitempty"`
	Generation int64           `json:"generation,omitempty"`
	Refused    bool            `json:"refused,omitempty"`
	Reason     string          `json:"reason,omitempty"`
}

func schemaNames() (names []string) {
	for _, s := range schemas {
		names = append(names, s.name)
	}
	return names
}

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:               "schema [NAME]",
		Short:             "Print the JSON Schema of a report, a counterexample, or a payload of the protocol",
		Example:           "  floorcheck schema report",
		ValidArgsFunction: cobra.FixedCompletions(schemaNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if len(args) == 0 {
				for _, s := range schemas {
					fmt.Fprintf(w, "%-16s %s\n", s.name, s.about)
				}
				return nil
			}
			for _, s := range schemas {
				if len(args) == 1 && s.name == args[0] {
					enc := json.NewEncoder(w)
					enc.SetIndent("", "  ")
					return enc.Encode(schemaOf(s.name, s.value))
				}
			}
			hint := meant(args[0], schemaNames())
			if hint == "" {
				hint = "floorcheck schema lists them"
			}
			return usage(hint, "there is no schema %q", strings.Join(args, " "))
		},
	}
}

// schemaOf reflects a value's shape. Unknown fields are allowed everywhere: the
// protocol ignores them.
func schemaOf(name string, v any) *jsonschema.Schema {
	r := &jsonschema.Reflector{AllowAdditionalProperties: true, ExpandedStruct: true, Anonymous: true, Mapper: spelled}
	s := r.Reflect(v)
	s.Title = "floorcheck " + name
	return s
}

// spelled gives the shapes of types that write their JSON themselves, and of
// words with few values.
func spelled(t reflect.Type) *jsonschema.Schema {
	words := func(values ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: values} }
	switch t {
	case reflect.TypeFor[floor.Decision]():
		return words(floor.Certified, floor.Provisional, floor.Refuse)
	case reflect.TypeFor[floor.Policy]():
		return words(floor.Guard, floor.Joint)
	case reflect.TypeFor[conform.Verdict]():
		return words(conform.Pass, conform.Fail, conform.Erred, conform.Crashed, conform.TimedOut, conform.Garbled, conform.NotRun, conform.NotClaimed)
	case reflect.TypeFor[*floor.Case]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{caseSchema(), {Type: "null"}}}
	case reflect.TypeFor[floor.Case]():
		return caseSchema()
	case reflect.TypeFor[*report.JSONCounterexample]():
		r := &jsonschema.Reflector{AllowAdditionalProperties: true, ExpandedStruct: true, DoNotReference: true, Anonymous: true, Mapper: spelled}
		ce := r.Reflect(report.JSONCounterexample{})
		ce.Version = ""
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{ce, {Type: "null"}}}
	}
	return nil
}

func enum(ops []floor.Op) (out []any) {
	for _, op := range ops {
		out = append(out, op)
	}
	return out
}

// caseSchema is a case's: the in of a step may be a bad request, so anything.
func caseSchema() *jsonschema.Schema {
	step := &jsonschema.Schema{Type: "object", Required: []string{"op", "in"}, Properties: jsonschema.NewProperties()}
	step.Properties.Set("op", &jsonschema.Schema{Type: "string", Enum: enum(suite.Ops)})
	step.Properties.Set("in", jsonschema.TrueSchema)
	out := &jsonschema.Schema{Type: "object", Required: []string{"policy", "steps"}, Properties: jsonschema.NewProperties()}
	out.Properties.Set("policy", &jsonschema.Schema{Type: "string", Enum: []any{floor.Guard, floor.Joint}})
	out.Properties.Set("steps", &jsonschema.Schema{Type: "array", Items: step, MinItems: new(uint64(1))})
	return out
}
