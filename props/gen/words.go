package gen

import "github.com/floorcheck/floorcheck/floor"

// classes are the names that cases are made of: those of the sources first,
// then names that a careless comparison takes for one of them.
var classes = [...]floor.Class{
	floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation, floor.Hypothesis,
	"Negation", "negations", "negation ", "id", "constructor", floor.Constraint,
}

// MostClasses is how many class names there are to choose from.
const MostClasses = len(classes)

// lookAlikes names, for a class, those that are easily taken for it.
var lookAlikes = map[floor.Class][]floor.Class{
	floor.Negation:   {"Negation", "negations", "negation "},
	floor.Identifier: {"id"},
	"Negation":       {floor.Negation},
	"negations":      {floor.Negation},
	"negation ":      {floor.Negation},
	"id":             {floor.Identifier},
}

// Limits bound the cases that are drawn, and say for whom.
type Limits struct {
	Policy  floor.Policy // histories are valid relative to it
	Classes int          // of MostClasses
	Events  int          // in a history, but for a long run's padding

	// Of conversations: how many generations at most, 0 being as many as
	// ordinarily; whether the subject has a model, and what else its summarizer
	// may do than be perfect; how many messages and how many of its tokens a
	// conversation must pass before the subject reduces it, 0 being any.
	Generations     int
	Model           bool
	Summarizers     []string
	TriggerMessages int
	TriggerTokens   int
}

// Full are the limits of an ordinary run.
func Full(p floor.Policy) Limits { return Limits{Policy: p, Classes: MostClasses, Events: mostEvents} }

// subset draws distinct classes in their order. Each costs a token, and the
// choice of which one is relative to the one before, so that every subset has
// exactly one tape.
func subset(s *Source, l Limits, eighths int) []floor.Class {
	out := make([]floor.Class, 0, 6)
	last := -1
	s.Repeat(0, MostClasses, eighths, "another class", func(int) bool {
		last += 1 + s.step(last, l)
		out = append(out, classes[last])
		return s.classesLeft(last, l, "another class")
	})
	return out
}

// step draws how many classes are passed over, mostly few, so that the last of
// them are met about as often as the first.
func (s *Source) step(last int, l Limits) int {
	if last+2 >= MostClasses {
		return 0 // it is the last of all
	}
	left := l.Classes - last - 1
	return s.pick("class", left, stepWeights[:left])
}

// classesLeft says whether there are classes after this one. Where only the
// limits say no, the token that asks for another is drawn all the same.
func (s *Source) classesLeft(last int, l Limits, label string) bool {
	if last < l.Classes-1 {
		return true
	}
	if last < MostClasses-1 {
		s.stop(label)
	}
	return false
}

var stepWeights = [MostClasses]int{12, 6, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1}

// number draws 0 to most: mostly small, else beside a power of two, else
// anywhere. Constants that matter to someone are near none of these more than
// by chance. scale is the label of the first choice.
func number(s *Source, scale string, most int64) int64 {
	var n int64
	switch s.Weighted(scale, 4, 3, 1, 1) {
	case 1:
		n = 1 + int64(s.Choose(7, "small"))
	case 2:
		n = int64(1)<<(3+s.Choose(51, "power")) + int64(s.Choose(3, "beside")) - 1
	case 3:
		n = int64(s.Choose(1<<12, "high"))<<12 | int64(s.Choose(1<<12, "low"))
	}
	return min(n, most)
}

// conditions draws the four flags; most cases lean one way or the other, so
// that each decision is common under either policy.
func conditions(s *Source) floor.Conditions {
	flag := func(label string) bool { return s.Choose(2, label) == 1 }
	switch s.Weighted("conditions", 4, 3, 2) {
	case 1: // alarm: nothing is left but to certify or refuse
		return floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
	case 2: // one danger away from alarm
		c := floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
		*[]*bool{&c.ConsumerStrict, &c.ChainingRisk, &c.SideEffectCostExceedsRefusal}[s.Choose(3, "spared")] = false
		c.SourceRecoverable = flag("recoverable")
		return c
	}
	return floor.Conditions{
		SourceRecoverable:            flag("recoverable"),
		ConsumerStrict:               flag("strict"),
		ChainingRisk:                 flag("chaining"),
		SideEffectCostExceedsRefusal: flag("side effects"),
	}
}

// spelling writes a set in another order or with repetitions; 0 leaves it.
func spelling[T any](s *Source, set []T) []T {
	if len(set) == 0 {
		return set
	}
	switch s.Weighted("spelling", 12, 1, 1) {
	case 1:
		for i, j := 0, len(set)-1; i < j; i, j = i+1, j-1 {
			set[i], set[j] = set[j], set[i]
		}
	case 2:
		set = append(set, set[s.Choose(len(set), "repeated")])
	}
	return set
}
