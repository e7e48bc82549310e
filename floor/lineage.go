package floor

import "encoding/json"

// A Lineage is the provenance that a summary carries. Fields that this version
// does not know are kept when it is decoded and written again, so that a
// runtime of a newer version loses nothing by passing through.
type Lineage struct {
	Generation        int64
	AncestryCertified bool
	Decision          Decision // of the event that made it; never Refuse
	Effective         []Fidelity

	unknown map[string]json.RawMessage
}

// DecodeLineage reads a lineage; path leads to it in the request and starts
// the error, which is a *BadRequest.
func DecodeLineage(data []byte, path string) (*Lineage, error) {
	d, o := open(data, path)
	l := &Lineage{
		Generation:        d.number(o.need("generation")),
		AncestryCertified: d.boolean(o.need("ancestry_certified")),
		Decision:          d.decision(o.need("decision")),
		Effective:         d.fidelities(o.need("effective")),
	}
	d.within(path+".generation", l.Generation, 0, MaxGeneration)
	if l.Decision == Refuse {
		d.fail(path+".decision", "must not be refuse: a refused event makes no summary")
	}
	return finish(d, l, func() error { return l.keepUnknown(data) })
}

func (l *Lineage) keepUnknown(data []byte) error {
	if err := json.Unmarshal(data, &l.unknown); err != nil {
		return err
	}
	for _, name := range []string{"generation", "ancestry_certified", "decision", "effective"} {
		delete(l.unknown, name)
	}
	return nil
}

// UnmarshalJSON is DecodeLineage with the path "lineage".
func (l *Lineage) UnmarshalJSON(data []byte) error {
	decoded, err := DecodeLineage(data, "lineage")
	if err != nil {
		return err
	}
	*l = *decoded
	return nil
}

// MarshalJSON writes the known fields and the unknown ones, names sorted.
func (l Lineage) MarshalJSON() ([]byte, error) {
	effective := l.Effective
	if effective == nil {
		effective = []Fidelity{}
	}
	fields := make(map[string]any, len(l.unknown)+4)
	for name, raw := range l.unknown {
		fields[name] = raw // into a map again: written sorted
	}
	fields["generation"] = l.Generation
	fields["ancestry_certified"] = l.AncestryCertified
	fields["decision"] = l.Decision
	fields["effective"] = effective
	return marshal(fields)
}
