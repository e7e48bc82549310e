package conform

import (
	"context"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// Objections asks one case, with the twins of every comparing rule, and names
// the rules that object, in the order of rules. A rule that was given no answer
// objects too.
func Objections(ctx context.Context, s Subject, rules []model.Rule, c floor.Case) ([]string, error) {
	base, err := askCase(ctx, s, c)
	if err != nil || base == nil {
		return nil, err
	}
	var out []string
	for _, r := range rules {
		if r.Op != "" && r.Op != c.Op() || !r.Applies(*base) {
			continue
		}
		objects, err := objects(ctx, s, r, *base)
		if err != nil {
			return out, err
		}
		if objects {
			out = append(out, r.ID)
		}
	}
	return out, nil
}

func objects(ctx context.Context, s Subject, r model.Rule, base model.Run) (bool, error) {
	if r.Vary == nil {
		return look(r, model.Observation{Base: base}) != nil, nil
	}
	for _, t := range r.Vary(base.Case) {
		twin, err := askCase(ctx, s, t)
		if err != nil || twin == nil {
			return false, err
		}
		if look(r, model.Observation{Base: base, Twin: twin}) != nil {
			return true, nil
		}
	}
	return false, nil
}
