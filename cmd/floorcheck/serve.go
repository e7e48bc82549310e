package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
)

func newServe() *cobra.Command {
	var policy string
	cmd := &cobra.Command{
		Use:   "serve reference|mutant/ID|blackbox/ID",
		Short: "Speak the protocol on stdin and stdout, as the reference engine, a black box or a planted fault",
		Long: `serve makes the reference engine a subject like any other, in a process of its
own. A runtime in any language can start it and ask it before it commits a
summary. A mutant is a planted fault, and a black box makes conversations
shorter, rightly or as it is done in the wild: both are for trying out the
harness. A model that is asked for summaries is the one at FLOORCHECK_MODEL_URL;
where that is not set, one that makes none wrong.`,
		Example: `  floorcheck serve reference
  floorcheck check -- floorcheck serve mutant/decision/chaining-ignored
  floorcheck check -- floorcheck serve blackbox/keep-last`,
		ValidArgsFunction: cobra.FixedCompletions(servable(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("floorcheck serve reference", "serve takes one subject, got %d", len(args))
			}
			if policy != string(floor.Guard) && policy != string(floor.Joint) {
				return usage(meant(policy, []string{"guard", "joint"}), "--policy: must be guard or joint, got %q", policy)
			}
			s, err := subjectNamed(args[0], floor.Policy(policy))
			if err != nil {
				return err
			}
			done := make(chan error, 1)
			go func() {
				done <- conform.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), s)
			}()
			select {
			case err = <-done:
				return errors.Join(err, s.Close())
			case <-cmd.Context().Done(): // while it waits for a line, which may never come
				return cmd.Context().Err()
			}
		},
	}
	cmd.Flags().StringVar(&policy, "policy", string(floor.Guard), "guard or joint")
	complete(cmd, "policy", "guard", "joint")
	return cmd
}

// subjectNamed makes a subject. What asks a model asks that of the environment.
func subjectNamed(name string, p floor.Policy) (conform.Subject, error) {
	if name == "reference" {
		return reference.New(p), nil
	}
	modelURL := os.Getenv("FLOORCHECK_MODEL_URL")
	id, isMutant := strings.CutPrefix(name, "mutant/")
	if m, ok := mutant.Lookup(id); isMutant && ok {
		if m.Asking != nil && modelURL != "" {
			return m.Asking(p, blackbox.Server(modelURL)), nil
		}
		return m.New(p), nil
	}
	id, isBox := strings.CutPrefix(name, "blackbox/")
	if b, ok := blackbox.Lookup(id); isBox && ok {
		if b.Asking != nil && modelURL != "" {
			return b.Asking(blackbox.Server(modelURL)), nil
		}
		return b.New(), nil
	}
	hint := meant(name, servable())
	if hint == "" {
		hint = "floorcheck mutants --list lists the mutants"
	}
	return nil, usage(hint, "there is no subject %q", name)
}

func servable() []string {
	out := []string{"reference"}
	for _, b := range blackbox.All() {
		out = append(out, "blackbox/"+b.ID)
	}
	for _, m := range mutant.All() {
		out = append(out, "mutant/"+m.ID)
	}
	return out
}
