package gen

import "github.com/floorcheck/floorcheck/floor"

// textScope holds every choice of requests about texts at the plainest one, but
// for the changes.
func textScope(changes Scope) Scope {
	plain := []string{
		"pressure", "naming", "theme class", "another theme", "kind", "role", "tokens", "unknown", "filler", "stray", "strayed",
		"lineage", "generation", "far", "poisoned", "provisional", "gap", "gone", "class of", "lost", "said",
		"draft", "shape", "word", "other word", "match", "which", "spelled as", "wrapped", "where", "another pin", "another stranger",
		"lead", "status", "degenerate", "foreign", "which class", "another floor", "floored", "permille value", "slip", "missing",
		"spelling", "before", "under", "summary tokens", "few tokens", "of", "another summary", "token scale",
		"budget", "token", "budget permille", "used", "conditions", "eased", "riders",
	}
	scope := Scope{}
	for _, label := range plain {
		scope[label] = []int{0}
	}
	return scope.with(changes)
}

// textScopes are the corners of requests about texts. Each turns one or two
// things at a time: a text that was shrunk to here is a plain one.
func textScopes(p floor.Policy) []NamedScope {
	l := Full(p)
	all := []int{0, 1, 2, 3, 4} // fates
	said := Scope{"known": {0}, "fate": {0, 1, 3}}
	certify := func(changes Scope) Scope { return textScope(said).with(changes) }
	proposed := Scope{"under": {0, 1}, "fate": {0, 1, 3}, "budget": {0, 5}}
	compact := func(changes Scope) Scope { return textScope(proposed).with(changes) }
	heirs := Scope{"kind": {0, 3}, "fate": {0, 1}, "recoverable": {0}, "strict": {0, 1}, "chaining": {0}, "side effects": {0}}
	return []NamedScope{
		{"plain", KindCertify, l, certify(Scope{"fate": all})},
		{"drafts", KindCertify, l, certify(Scope{"another span": {0}, "draft": {0, 1, 2}, "word": {0, 1, 2}, "fate": {1, 2, 3}, "which": {0, 1}})},
		{"two classes", KindCertify, l, certify(Scope{"another theme": {0, 1}, "class of": {0, 1}, "fate": {0, 1}})},
		{"parts", KindCertify, l, certify(Scope{"another pin": {0, 1}, "where": {0, 1, 4}, "another span": {0}})},
		{"strangers", KindCertify, l, certify(Scope{"another stranger": {0, 1}, "another span": {0}})},
		{"unusable", KindCertify, l, certify(Scope{"status": {0, 1, 2, 4}, "degenerate": {0, 1, 3}, "fate": {0, 1}, "another span": {0}})},
		{"unknown", KindCertify, l, certify(Scope{"unknown": {0, 1}, "fate": {0, 1}})},
		{"floors", KindCertify, l, certify(Scope{"another floor": {0, 1}, "fate": {0, 1}, "another span": {0}})},
		{"bad", KindBadCertify, l, certify(Scope{"a first span": {0}, "another span": {0}, "spoiled": {0}, "place": {0}, "at": {0, 1, 2, 3, 4, 5}})},

		{"plain", KindCompact, l, compact(Scope{"another element": {0, 1}})},
		{"budget", KindCompact, l, compact(Scope{"fate": {1}, "another element": {0}, "budget": {0, 1, 2, 5, 6}, "token": {0, 1, 2}})},
		{"summaries", KindCompact, l, compact(Scope{
			"fate": {0, 1}, "under": {0, 1, 2}, "another summary": {0, 1}, "status": {0, 2}, "chaining": {0}, "side effects": {0}})},
		{"heirs", KindCompact, l, compact(heirs.with(Scope{"lineage": {0, 1}, "poisoned": {0, 1}, "provisional": {0, 1}, "another element": {0}}))},
		{"lost", KindCompact, l, compact(heirs.with(Scope{"lost": {0, 1}, "gap": {0, 1}, "generation": {0, 1}}))},
		{"strays", KindCompact, l, compact(heirs.with(Scope{"stray": {0, 1}, "strayed": {0, 1}, "another element": {0, 1}}))},
		{"unknown", KindCompact, l, compact(Scope{"unknown": {0, 1}, "fate": {0, 1}, "another element": {0}})},
		{"floors", KindCompact, l, compact(Scope{"another floor": {0, 1}, "fate": {0, 1}, "another span": {0}})},
		{"bad", KindBadCompact, l, compact(Scope{"a first span": {0}, "another span": {0}, "a first summary": {0}, "spoiled": {0}, "place": {0},
			"at": {0, 1, 2, 3, 4, 5}, "budget": {0}, "required": {0}, "known": {0},
			"recoverable": {0}, "strict": {0}, "chaining": {0}, "side effects": {0}})},
	}
}
