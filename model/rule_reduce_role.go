package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// No text gains authority by compaction. What a user said may be repeated by an
// assistant as long as the user still says it too.
var _ = register(Rule{
	ID:      "reduce/role",
	Title:   "who said it stays: what comes out stands with a role that said it, and with none of more authority",
	Needs:   "W-22",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenPlant(func(*floor.Plant) bool { return true }),

	Check: func(o Observation) []Finding {
		return aboutLive(o, func(t *turn, plant int) (Finding, bool) {
			if !t.before.keeps(plant) || !t.after.keeps(plant) {
				return Finding{}, false
			}
			said, now := t.before.roles(plant), t.after.roles(plant)
			stays := slices.ContainsFunc(now, func(r floor.Role) bool { return slices.Contains(said, r) })
			f := Finding{Step: t.step, At: showPlant(&t.plants[plant]), Want: "said by " + showRoles(said), Got: "said by " + showRoles(now)}
			return f, !stays || authorityOf(now) > authorityOf(said)
		})
	},

	// The smallest lie: have the system say it too, or where it did the assistant
	// alone.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			p := &t.plants[plant]
			if endedBy(p, t.step) || !t.before.keeps(plant) {
				return false
			}
			told := floor.Message{Role: floor.System, Text: queryFor(p.Element) + "."}
			if said := t.before.roles(plant); slices.Contains(said, floor.System) {
				told.Role = floor.Assistant
				if slices.Contains(said, floor.Assistant) || !retell(out, p.Element, "") {
					return false
				}
			}
			sayFirst(out, told)
			return Retain(p.Element, partsOfAll(out.Messages)).keeps()
		})
	},
})

// roles are those of the messages that keep a plant, each once.
func (t *telling) roles(plant int) (roles []floor.Role) {
	for _, i := range t.tellers(t.plants[plant].Element) {
		if role := t.messages[i].Role; !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	return roles
}

// authorityOf is the most that any of the roles has.
func authorityOf(roles []floor.Role) (most int) {
	for _, role := range roles {
		switch role {
		case floor.System:
			most = max(most, 2)
		case floor.User:
			most = max(most, 1)
		}
	}
	return most
}

func showRoles(roles []floor.Role) string {
	var shown []string
	for _, role := range roles {
		shown = append(shown, fmt.Sprintf("the %s", showName(string(role))))
	}
	return strings.Join(shown, " and ")
}
