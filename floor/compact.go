package floor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// The ops about texts.
const (
	OpCertify Op = "certify" // is what a text keeps what is claimed?
	OpCompact Op = "compact" // spans and summaries into a budget, or a refusal
)

// A Kind says what a span is.
type Kind string

// The kinds of spans.
const (
	KindMessage Kind = "message"
	KindCall    Kind = "call"
	KindResult  Kind = "result"
	KindSummary Kind = "summary" // stands for originals
	KindPin     Kind = "pin"
)

// A Span is a stretch of context that is kept or evicted as one.
type Span struct {
	ID     string `json:"id"`
	Kind   Kind   `json:"kind"`
	Role   Role   `json:"role"` // whatever the runtime calls it
	Tokens int64  `json:"tokens"`
	Text   string `json:"text"`
	// Elements is nil where they are unknown; empty, and not nil, where the span
	// is known to hold none.
	Elements []Element `json:"elements,omitzero"`
	Lineage  *Lineage  `json:"lineage,omitempty"` // of a summary; nil where it has none
}

// A SummaryStatus says how a summary came.
type SummaryStatus string

// The statuses; StatusOK where none is given. Whatever is not ok is unusable.
const (
	StatusOK      SummaryStatus = "ok"
	StatusError   SummaryStatus = "error"
	StatusRefused SummaryStatus = "refused"
	StatusPartial SummaryStatus = "partial"
	StatusOpaque  SummaryStatus = "opaque"
)

// A Delivery is what reaches the consumer: a text, and pins beside it.
type Delivery struct {
	Text   string        `json:"text"`
	Pins   []string      `json:"pins,omitempty"`
	Status SummaryStatus `json:"status,omitempty"`
}

// CertifyIn asks which of the required classes a delivery keeps.
type CertifyIn struct {
	Source         []Span          `json:"source"`
	Output         Delivery        `json:"output"`
	Required       []Class         `json:"required_classes"`
	FloorsPermille map[Class]int64 `json:"floors_permille,omitempty"` // 0 to 1000; a required class without one has 1000
	Decoys         []Element       `json:"decoys,omitempty"`          // known to be absent from the source
}

// CertifyOut is the certificate. Fidelity has one entry for each required class;
// Lost and Inverted are ids of elements of required classes. A nil list says
// that the answer did not hold the field.
type CertifyOut struct {
	Certified  []Class    `json:"certified_classes,omitzero"`
	Fidelity   []Fidelity `json:"fidelity,omitzero"`
	Lost       []string   `json:"lost,omitzero"`
	Inverted   []string   `json:"inverted,omitzero"` // contradictory ones too; never in Lost
	Fabricated []string   `json:"fabricated,omitzero"`
}

// A Summary is proposed to stand for spans.
type Summary struct {
	ID     string        `json:"id"`
	Of     []string      `json:"of"` // span ids; a span is in one summary at most
	Text   string        `json:"text"`
	Tokens int64         `json:"tokens"`
	Status SummaryStatus `json:"status,omitempty"`
}

// CompactIn asks to fit spans into a budget.
type CompactIn struct {
	Spans          []Span          `json:"spans"`
	Required       []Class         `json:"required_classes"`
	Known          []Class         `json:"known_classes"` // those that the elements were looked for
	FloorsPermille map[Class]int64 `json:"floors_permille,omitempty"`
	Conditions
	BudgetTokens int64     `json:"budget_tokens"`
	Summaries    []Summary `json:"summaries"`
	Riders       *Riders   `json:"riders,omitempty"`
}

// A Basis says why a decision is provisional and no refusal.
type Basis string

// The bases.
const (
	BasisRecoverable Basis = "recoverable" // the originals can be read again
	BasisHarmless    Basis = "harmless"    // no danger under the policy
)

// CompactOut is the shorter context, or a refusal. A nil list or pointer says
// that the answer did not hold the field.
type CompactOut struct {
	Decision Decision  `json:"decision"`
	Basis    Basis     `json:"basis,omitempty"` // of a provisional decision
	Kept     []string  `json:"kept,omitzero"`   // span ids
	Evicted  []Evicted `json:"evicted,omitzero"`
	Output   []Part    `json:"output,omitzero"`
	Contract *Contract `json:"contract,omitempty"` // of the context as delivered

	// Of a refusal.
	MissingClasses   []Class  `json:"missing_classes,omitzero"`
	OverBudgetTokens *int64   `json:"over_budget_tokens,omitempty"`
	Escalations      []string `json:"escalations,omitzero"` // ways on
	UnknownSpans     []string `json:"unknown_spans,omitzero"`
	PoisonedSpans    []string `json:"poisoned_spans,omitzero"`
	UncleanSummaries []string `json:"unclean_summaries,omitzero"`
}

// An Evicted is a span that went, under which summary, and its tag: kept over
// total for each class among its elements.
type Evicted struct {
	Span     string     `json:"span"`
	Summary  string     `json:"summary"`
	Fidelity []Fidelity `json:"fidelity"`
}

// A Part of the delivered context is a span that was kept, or a summary that
// was used.
type Part struct {
	Kind    string `json:"kind"` // PartSpan or PartSummary
	Span    string `json:"span,omitempty"`
	Summary string `json:"summary,omitempty"`
	Text    string `json:"text"`

	// Of a summary.
	Provisional *bool    `json:"provisional,omitempty"`
	Lineage     *Lineage `json:"lineage,omitempty"`
	Lost        []string `json:"lost,omitzero"` // ids of elements
}

// The kinds of parts.
const (
	PartSpan    = "span"
	PartSummary = "summary"
)

// DecodeCertifyIn reads the `in` of a certify request. The error is a
// *BadRequest.
func DecodeCertifyIn(data []byte) (*CertifyIn, error) {
	d, root := open(data, "in")
	in := &CertifyIn{Source: d.spans(root.need("source")), Required: d.classes(root.need("required_classes"))}
	output := d.object(root.need("output"))
	in.Output.Text = d.text(output.need("text"))
	if pins := output.may("pins"); pins.present {
		in.Output.Pins = d.strings(pins)
	}
	in.Output.Status = d.status(output.may("status"))
	if floors := root.may("floors_permille"); floors.present {
		in.FloorsPermille = d.floors(d.object(floors))
	}
	if decoys := root.may("decoys"); decoys.present {
		in.Decoys = d.elements(decoys)
	}
	return finish(d, in, in.Validate)
}

// DecodeCompactIn reads the `in` of a compact request. The error is a
// *BadRequest.
func DecodeCompactIn(data []byte) (*CompactIn, error) { return decodeCompactIn(data, true) }

// DecodeSessionCompactIn is DecodeCompactIn for a session, whose spans are its
// own.
func DecodeSessionCompactIn(data []byte) (*CompactIn, error) { return decodeCompactIn(data, false) }

func decodeCompactIn(data []byte, withSpans bool) (*CompactIn, error) {
	d, root := open(data, "in")
	in := &CompactIn{
		Spans:        []Span{},
		Required:     d.classes(root.need("required_classes")),
		Known:        d.classes(root.need("known_classes")),
		Conditions:   d.conditions(root),
		BudgetTokens: d.number(root.need("budget_tokens")),
		Summaries:    []Summary{},
	}
	if withSpans {
		in.Spans = d.spans(root.need("spans"))
	}
	for _, item := range d.list(root.need("summaries")) {
		o := d.object(item)
		in.Summaries = append(in.Summaries, Summary{
			ID: d.text(o.need("id")), Of: d.strings(o.need("of")), Text: d.text(o.need("text")),
			Tokens: d.number(o.need("tokens")), Status: d.status(o.may("status")),
		})
	}
	if floors := root.may("floors_permille"); floors.present {
		in.FloorsPermille = d.floors(d.object(floors))
	}
	if riders := root.may("riders"); riders.present {
		in.Riders = d.riders(d.object(riders))
	}
	if !withSpans {
		return finish(d, in, func() error { return nil })
	}
	return finish(d, in, in.Validate)
}

// DecodeSpans reads the spans that a session is given. The error is a
// *BadRequest.
func DecodeSpans(data []byte) ([]Span, error) {
	d, root := open(data, "in")
	spans := d.spans(root.need("spans"))
	v := &decoder{err: d.err}
	v.spanList("in.spans", spans)
	if err := v.result(); err != nil {
		return nil, err
	}
	return spans, nil
}

// Validate reports what the bad_request list forbids in a request that was
// built in Go, but for what takes folding texts: a phrase in both lists of an
// element. The error is a *BadRequest.
func (in *CertifyIn) Validate() error {
	d := &decoder{}
	ids := d.spanList("in.source", in.Source)
	d.knownStatus("in.output.status", in.Output.Status)
	d.floorMap("in.floors_permille", in.FloorsPermille)
	for i := range in.Decoys {
		if field, problem := in.Decoys[i].fault(false, ids); problem != "" {
			d.fail(fmt.Sprintf("in.decoys[%d].%s", i, field), "%s", problem)
		}
	}
	return d.result()
}

// Validate reports what the bad_request list forbids in a request that was
// built in Go, but for what takes folding texts (a phrase in both lists of an
// element). The error is a *BadRequest.
func (in *CompactIn) Validate() error {
	d := &decoder{}
	d.spanList("in.spans", in.Spans)
	d.floorMap("in.floors_permille", in.FloorsPermille)
	d.within("in.budget_tokens", in.BudgetTokens, 0, MaxNumber)
	sum, spans := int64(0), make(map[string]*Span, len(in.Spans))
	for i := range in.Spans {
		spans[in.Spans[i].ID] = &in.Spans[i]
		d.add(&sum, in.Spans[i].Tokens, "in.spans")
	}
	ids, of := map[string]bool{}, map[string]bool{}
	for i := range in.Summaries {
		s, at := &in.Summaries[i], fmt.Sprintf("in.summaries[%d]", i)
		if ids[s.ID] {
			d.fail(at+".id", "%q is a summary already", clip(s.ID))
		}
		ids[s.ID] = true
		d.within(at+".tokens", s.Tokens, 0, MaxNumber)
		d.add(&sum, s.Tokens, "in.summaries")
		d.knownStatus(at+".status", s.Status)
		for j, id := range s.Of {
			where := at + ".of[" + strconv.Itoa(j) + "]"
			span := spans[id]
			switch {
			case span == nil:
				d.fail(where, "%q is no span", clip(id))
			case of[id]:
				d.fail(where, "%q is in a summary already", clip(id))
			case span.Lineage != nil && span.Lineage.Generation >= MaxGeneration:
				d.fail(where, "%q has generation %d, and a summary of it would have one more", clip(id), span.Lineage.Generation)
			}
			of[id] = true
		}
	}
	if r := in.Riders; r != nil {
		d.rider("source_tokens", r.SourceTokens)
		d.rider("summary_tokens", r.SummaryTokens)
		d.rider("target_permille", r.TargetPermille)
		d.rider("occupancy_permille", r.OccupancyPermille)
		d.rider("fluency_permille", r.FluencyPermille)
		d.rider("quota_facts", r.QuotaFacts)
	}
	return d.result()
}

// add sums tokens, and stops where the sum could not be carried.
func (d *decoder) add(sum *int64, n int64, path string) {
	if n < 0 || d.err != nil {
		return
	}
	if *sum += n; *sum > MaxNumber {
		d.fail(path, "the tokens of all spans and summaries must stay below 2^53")
	}
}

func (d *decoder) floorMap(path string, floors map[Class]int64) {
	for _, class := range slices.Sorted(maps.Keys(floors)) {
		d.within(path+"."+clip(string(class)), floors[class], 0, MaxPermille)
	}
}

// spanList wants spans in range, ids once each, and gives the ids of elements.
func (d *decoder) spanList(path string, spans []Span) (elements map[string]bool) {
	ids, elements := map[string]bool{}, map[string]bool{}
	for i := range spans {
		s, at := &spans[i], fmt.Sprintf("%s[%d]", path, i)
		if ids[s.ID] {
			d.fail(at+".id", "%q is a span already", clip(s.ID))
		}
		ids[s.ID] = true
		switch s.Kind {
		case KindMessage, KindCall, KindResult, KindSummary, KindPin:
		default:
			d.fail(at+".kind", "must be message, call, result, summary or pin, got %q", clip(string(s.Kind)))
		}
		d.within(at+".tokens", s.Tokens, 0, MaxNumber)
		isSummary := s.Kind == KindSummary || s.Lineage != nil
		for j := range s.Elements {
			if field, problem := s.Elements[j].fault(isSummary, elements); problem != "" {
				d.fail(fmt.Sprintf("%s.elements[%d].%s", at, j, field), "%s", problem)
			}
		}
		if s.Lineage != nil {
			d.lineage(at+".lineage", s)
		}
	}
	return elements
}

// fault is the first thing that is wrong with an element: its id has to be used
// once, and lost stands only where it may. Both are "" where nothing is: a
// request may have thousands, and a path is written for none that is right.
func (e *Element) fault(onSummary bool, ids map[string]bool) (field, problem string) {
	again := ids[e.ID]
	ids[e.ID] = true
	switch {
	case again:
		return "id", fmt.Sprintf("%q is an element already", clip(e.ID))
	case e.Match != "" && e.Match != Folded && e.Match != Exact:
		return "match", fmt.Sprintf("must be folded or exact, got %q", clip(string(e.Match)))
	case e.Lost != nil && !onSummary:
		return "lost", "stands on the elements of summary spans only"
	}
	return "", ""
}

// lineage wants what DecodeLineage does, and that it agrees with the span's
// elements where they are known: total is their number, retained those that are
// not lost.
func (d *decoder) lineage(at string, s *Span) {
	l := s.Lineage
	d.within(at+".generation", l.Generation, 0, MaxGeneration)
	if l.Decision != Certified && l.Decision != Provisional {
		d.fail(at+".decision", "must be certified or provisional, got %q", clip(string(l.Decision)))
	}
	d.certificate(at+".effective", l.Effective)
	if s.Elements == nil {
		return
	}
	counts := map[Class]Fidelity{} // one pass: there may be as many classes as elements
	for j := range s.Elements {
		e := &s.Elements[j]
		count := counts[e.Class]
		count.Total++
		if e.Lost == nil || !*e.Lost {
			count.Retained++
		}
		counts[e.Class] = count
	}
	for i, f := range l.Effective {
		if count := counts[f.Class]; f.Total != count.Total || f.Retained != count.Retained {
			d.fail(fmt.Sprintf("%s.effective[%d]", at, i), "says %d of %d of %q, the span's elements say %d of %d",
				f.Retained, f.Total, clip(string(f.Class)), count.Retained, count.Total)
		}
	}
}

func (d *decoder) knownStatus(path string, s SummaryStatus) {
	switch s {
	case "", StatusOK, StatusError, StatusRefused, StatusPartial, StatusOpaque:
		return
	}
	d.fail(path, "must be ok, error, refused, partial or opaque, got %q", clip(string(s)))
}

// status may be absent.
func (d *decoder) status(v value) SummaryStatus {
	if !v.present {
		return ""
	}
	s := SummaryStatus(d.text(v))
	if s == "" {
		d.fail(v.path, "must be ok, error, refused, partial or opaque, got %q", "")
	}
	d.knownStatus(v.path, s)
	return s
}

func (d *decoder) spans(v value) []Span {
	out := []Span{}
	for _, item := range d.list(v) {
		o := d.object(item)
		s := Span{
			ID: d.text(o.need("id")), Kind: Kind(d.text(o.need("kind"))), Role: Role(d.text(o.need("role"))),
			Tokens: d.number(o.need("tokens")), Text: d.text(o.need("text")),
		}
		if elements := o.may("elements"); elements.present {
			s.Elements = d.elements(elements)
		}
		if lineage := o.may("lineage"); lineage.present {
			s.Lineage = d.lineageOf(lineage)
		}
		out = append(out, s)
	}
	return out
}

// lineageOf reads a lineage with its unknown fields.
func (d *decoder) lineageOf(v value) *Lineage {
	if d.err != nil {
		return nil
	}
	d.object(v)
	data, err := marshal(v.v)
	if err != nil || d.err != nil {
		d.fail(v.path, "cannot be read")
		return nil
	}
	l, err := DecodeLineage(data, v.path)
	if err != nil {
		var bad *BadRequest
		if errors.As(err, &bad) {
			d.fail(bad.Path, "%s", bad.Problem)
		} else {
			d.fail(v.path, "%v", err)
		}
		return nil
	}
	return l
}

func (d *decoder) elements(v value) []Element {
	out := []Element{}
	for _, item := range d.list(v) {
		o := d.object(item)
		e := Element{ID: d.text(o.need("id")), Class: Class(d.text(o.need("class"))), Forms: d.strings(o.need("forms"))}
		if inverted := o.may("inverted_forms"); inverted.present {
			e.Inverted = d.strings(inverted)
		}
		if match := o.may("match"); match.present {
			if e.Match = Match(d.text(match)); e.Match != Folded && e.Match != Exact {
				d.fail(match.path, "must be folded or exact, got %q", clip(string(e.Match)))
			}
		}
		if lost := o.may("lost"); lost.present {
			e.Lost = d.optionalBoolean(lost)
		}
		out = append(out, e)
	}
	return out
}

// DecodeCertifyOut reads the `out` of a certify answer; an error says that it
// is none.
func DecodeCertifyOut(data []byte) (*CertifyOut, error) {
	d, root := open(data, "out")
	out := &CertifyOut{
		Certified:  d.optionalClasses(root.may("certified_classes")),
		Lost:       d.optionalStrings(root.may("lost")),
		Inverted:   d.optionalStrings(root.may("inverted")),
		Fabricated: d.optionalStrings(root.may("fabricated")),
	}
	if fidelity := root.may("fidelity"); fidelity.present {
		out.Fidelity = d.fidelities(fidelity)
	}
	return finish(d, out, func() error { return nil })
}

// DecodeCompactOut reads the `out` of a compact answer; an error says that it
// is none.
func DecodeCompactOut(data []byte) (*CompactOut, error) {
	d, root := open(data, "out")
	out := &CompactOut{Decision: d.decision(root.need("decision"))}
	if out.Decision == Refuse {
		out.MissingClasses = d.optionalClasses(root.may("missing_classes"))
		out.OverBudgetTokens = d.optionalNumber(root.may("over_budget_tokens"))
		out.Escalations = d.optionalStrings(root.may("escalations"))
		out.UnknownSpans = d.optionalStrings(root.may("unknown_spans"))
		out.PoisonedSpans = d.optionalStrings(root.may("poisoned_spans"))
		out.UncleanSummaries = d.optionalStrings(root.may("unclean_summaries"))
		return finish(d, out, func() error { return nil })
	}
	if basis := root.may("basis"); basis.present {
		if out.Basis = Basis(d.text(basis)); out.Basis != BasisRecoverable && out.Basis != BasisHarmless {
			d.fail(basis.path, "must be recoverable or harmless, got %q", clip(string(out.Basis)))
		}
	}
	out.Kept = d.optionalStrings(root.may("kept"))
	if evicted := root.may("evicted"); evicted.present {
		out.Evicted = []Evicted{}
		for _, item := range d.list(evicted) {
			o := d.object(item)
			out.Evicted = append(out.Evicted, Evicted{d.text(o.need("span")), d.text(o.need("summary")), d.fidelities(o.need("fidelity"))})
		}
	}
	if output := root.may("output"); output.present {
		out.Output = []Part{}
		for _, item := range d.list(output) {
			out.Output = append(out.Output, d.part(d.object(item)))
		}
	}
	if contract := root.may("contract"); contract.present {
		o := d.object(contract)
		out.Contract = &Contract{
			Required: d.classes(o.need("required_classes")), Certified: d.classes(o.need("certified_classes")),
			Generation: d.number(o.need("generation")), AncestryCertified: d.boolean(o.need("ancestry_certified")),
		}
	}
	return finish(d, out, func() error { return nil })
}

func (d *decoder) part(o object) Part {
	p := Part{Text: d.text(o.need("text"))}
	if kind := o.may("kind"); kind.present {
		p.Kind = d.text(kind)
	}
	if span := o.may("span"); span.present {
		p.Span = d.text(span)
	}
	if summary := o.may("summary"); summary.present {
		p.Summary = d.text(summary)
	}
	switch {
	case p.Kind == "" && p.Span != "": // a kept span's entry needs no more than id and text
		p.Kind = PartSpan
	case p.Kind == "" && p.Summary != "":
		p.Kind = PartSummary
	}
	if p.Kind != PartSpan && p.Kind != PartSummary {
		d.fail(o.path+".kind", "must be span or summary, got %q", clip(p.Kind))
	}
	if p.Kind == PartSummary {
		p.Provisional = d.optionalBoolean(o.may("provisional"))
		p.Lost = d.optionalStrings(o.may("lost"))
		if lineage := o.may("lineage"); lineage.present {
			p.Lineage = d.lineageOf(lineage)
		}
	}
	return p
}

func (d *decoder) optionalStrings(v value) []string {
	if !v.present {
		return nil
	}
	return d.strings(v)
}

// spelled replaces nil lists, which Go would write as null.
func (in CertifyIn) spelled() CertifyIn {
	in.Source = spelledSpans(in.Source)
	in.Required = orEmpty(in.Required)
	in.Decoys = spelledElements(in.Decoys)
	return in
}

// spelled replaces nil lists, which Go would write as null.
func (in CompactIn) spelled() CompactIn {
	in.Spans = spelledSpans(in.Spans)
	in.Required, in.Known = orEmpty(in.Required), orEmpty(in.Known)
	in.Summaries = append([]Summary{}, in.Summaries...)
	for i := range in.Summaries {
		in.Summaries[i].Of = orEmpty(in.Summaries[i].Of)
	}
	return in
}

func spelledSpans(spans []Span) []Span {
	out := append([]Span{}, spans...)
	for i := range out {
		out[i].Elements = spelledElements(out[i].Elements)
	}
	return out
}

func spelledElements(elements []Element) []Element {
	if elements == nil {
		return nil
	}
	out := append([]Element{}, elements...)
	for i := range out {
		out[i].Forms = orEmpty(out[i].Forms)
	}
	return out
}
