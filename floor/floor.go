// Package floor holds the words of the fidelity floor and their spelling on
// the wire: classes, contracts, conditions, events, lineages, decisions, and
// the cases and traces made of them. It decides nothing: what a word means is
// said twice and independently, by engine and by model.
//
// The JSON of these types is the payload of protocol 1 (docs/protocol.md).
package floor

// A Class is a kind of load-bearing element. The set is open: an unknown class
// is carried, never dropped, and never counts as certified by itself.
type Class string

// The classes that the sources name. Constraint is a condition ("only if"),
// Status is open or done, Literal is text agreed word for word.
const (
	Identifier Class = "identifier"
	Quantity   Class = "quantity"
	Negation   Class = "negation"
	Ordering   Class = "ordering"
	Obligation Class = "obligation"
	Hypothesis Class = "hypothesis"
	Constraint Class = "constraint"
	Status     Class = "status"
	Literal    Class = "literal"
)

// An Op is what a subject can be asked.
type Op string

// The ops that this version tests. The protocol names more.
const (
	OpDecide Op = "decide"
	OpDerive Op = "derive"
	OpReduce Op = "reduce" // a black box: messages in, messages out
	OpRecall Op = "recall" // asked of a black box about what it reduced
)

// A Decision is what a runtime may do with a compaction.
type Decision string

// The decisions, from most to least permission.
const (
	Certified   Decision = "certified"
	Provisional Decision = "provisional"
	Refuse      Decision = "refuse"
)

// A Policy says how the danger conditions combine: Guard refuses on any of
// them, Joint only on all three. Source: requirement section "Where the
// sources disagree".
type Policy string

// The policies a subject may declare; Guard when it declares none.
const (
	Guard Policy = "guard"
	Joint Policy = "joint"
)

// A Contract names what the consumer of a compaction needs, and what was
// certified for it. The class lists are sets: order and repetition mean
// nothing.
type Contract struct {
	Required          []Class `json:"required_classes"`
	Certified         []Class `json:"certified_classes"`
	Generation        int64   `json:"generation"` // 0 for an original, below 2^31
	AncestryCertified bool    `json:"ancestry_certified"`
}

// Conditions are judged anew for each compaction event.
type Conditions struct {
	SourceRecoverable            bool `json:"source_recoverable"`               // opposite of C2
	ConsumerStrict               bool `json:"consumer_strict"`                  // C1
	ChainingRisk                 bool `json:"chaining_risk"`                    // C4
	SideEffectCostExceedsRefusal bool `json:"side_effect_cost_exceeds_refusal"` // C5
}

// Riders are figures that ride along with a request. Nothing in them may
// change a decision. Absent figures are nil; ratios are in permille.
type Riders struct {
	SourceTokens      *int64 `json:"source_tokens,omitempty"`
	SummaryTokens     *int64 `json:"summary_tokens,omitempty"`
	TargetPermille    *int64 `json:"target_permille,omitempty"`
	OccupancyPermille *int64 `json:"occupancy_permille,omitempty"`
	FluencyPermille   *int64 `json:"fluency_permille,omitempty"`
	QuotaFacts        *int64 `json:"quota_facts,omitempty"`
}

// DecideIn asks for one decision.
type DecideIn struct {
	Contract Contract `json:"contract"`
	Conditions
	Riders *Riders `json:"riders,omitempty"`
}

// DecideOut is the decision. The three reason fields belong to a refusal; nil
// says that the answer did not hold the field.
type DecideOut struct {
	Decision          Decision `json:"decision"`
	MissingClasses    []Class  `json:"missing_classes,omitzero"`
	Generation        *int64   `json:"generation,omitempty"`
	AncestryCertified *bool    `json:"ancestry_certified,omitempty"`
	Warnings          []string `json:"x-warnings,omitempty"` // an extension: nobody has to read it
}

// VacuousContract warns that a contract was certified because it requires
// nothing. Source: requirement section "Where the sources disagree".
const VacuousContract = "vacuous-contract"

// A Fidelity is how much of a class was retained: two integers, never a
// float, 0 ≤ Retained ≤ Total < 2^53. 0 of 0 is full fidelity.
type Fidelity struct {
	Class    Class `json:"class"`
	Retained int64 `json:"retained"`
	Total    int64 `json:"total"`
}

// An Event is one compaction in a history: what went in, what its consumer
// requires, what its own certificate says.
type Event struct {
	ID             string          `json:"id"`
	Inputs         []string        `json:"inputs"` // originals or earlier events; a set, not empty
	Required       []Class         `json:"required_classes"`
	Certificate    []Fidelity      `json:"certificate"`               // at most one entry per class
	FloorsPermille map[Class]int64 `json:"floors_permille,omitempty"` // 0 to 1000; a required class without one has 1000
	Conditions
}

// DeriveIn is a history, oldest event first.
type DeriveIn struct {
	Originals []string `json:"originals"`
	Events    []Event  `json:"events"`
}

// An Outcome is what became of one event. A refused event carries
// MissingClasses and AncestryCertified, any other Generation,
// AncestryCertified and Effective; nil says that the answer did not hold the
// field.
type Outcome struct {
	ID                string     `json:"id"`
	Decision          Decision   `json:"decision"`
	Generation        *int64     `json:"generation,omitempty"`
	AncestryCertified *bool      `json:"ancestry_certified,omitempty"`
	Effective         []Fidelity `json:"effective,omitzero"`
	MissingClasses    []Class    `json:"missing_classes,omitzero"`
}

// DeriveOut holds one outcome per event, in the order of the events.
type DeriveOut struct {
	Events []Outcome `json:"events"`
}
