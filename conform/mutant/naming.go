package mutant

import (
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// Careless ways to tell that a required class is a certified one.

func isPrefix(required, certified floor.Class) bool {
	return strings.HasPrefix(string(certified), string(required))
}

func isWithin(required, certified floor.Class) bool {
	return strings.Contains(string(certified), string(required))
}

func equalFold(required, certified floor.Class) bool {
	return strings.EqualFold(string(required), string(certified))
}

func equalTrimmed(required, certified floor.Class) bool {
	return strings.TrimSpace(string(required)) == strings.TrimSpace(string(certified))
}

func sameInitial(required, certified floor.Class) bool {
	a, _ := utf8.DecodeRuneInString(string(required))
	b, _ := utf8.DecodeRuneInString(string(certified))
	return a == b
}

func sameLength(required, certified floor.Class) bool { return len(required) == len(certified) }
