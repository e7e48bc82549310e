package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "certify/fail-closed",
	Title:   "what the protocol calls a bad request is an error, never a certificate",
	Needs:   "A-35",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenMalformed(floor.OpCertify),
	Check:   wantErrors(floor.OpCertify),

	// The smallest lie: a certificate of nothing.
	Break: func(o Observation) (Observation, bool) {
		return lieToMalformed(o, floor.OpCertify, floor.Answer{Certify: &floor.CertifyOut{
			Certified: []floor.Class{}, Fidelity: []floor.Fidelity{}, Lost: []string{}, Inverted: []string{},
		}})
	},
})
