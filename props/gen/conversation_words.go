package gen

// What plants say. No phrase here stands inside another one of its list or of
// another list, and none stands in a transcript or in the talk around plants:
// tests hold that. So no sentence keeps or voids a plant by accident. Names and
// figures are compared exactly, so they may look alike as much as they like.

// deeds are verb phrases: what must, must not, or may be done.
var deeds = []string{
	"delete the staging bucket", "delete the backup bucket", "rotate the signing keys", "rotate the session keys",
	"restart the ingest workers", "restart the mail workers", "email the vendor", "email the supplier",
	"force push to the release branch", "merge the hotfix", "merge the feature branch", "refund the deposit",
	"refund the late charge", "rebook the outbound flight", "rebook the return leg", "upgrade the cabin",
	"charge the corporate card", "charge the personal card", "share the salary table", "share the raw survey",
	"overwrite the baseline", "drop the audit index", "drop the search index", "drain the east cluster",
	"drain the west cluster", "page the on-call lead", "mute the disk alarm", "mute the latency alarm",
	"sign the annex", "countersign the statement of work", "archive the protocols", "translate the preamble",
	"print the badges", "freeze the schema", "backfill the missing weeks", "impute the blank cells",
	"round the exchange rates", "reorder the cartridges", "ship the sample crate", "invite the auditors",
	"reseed the random generator", "vendor the parser", "bump the lockfile", "squash the history",
	"update the résumé template", "notify the café owners", "reprint the Curaçao vouchers", "sync the Москва mirror",
	"widen the memory limit", "revoke the guest token", "publish the changelog", "swap the seat assignments",
}

// provisos are what a deed may depend on.
var provisos = []string{
	"the checksum matches", "the second approver agrees", "the queue is empty", "the smoke tests are green",
	"the customer confirms in writing", "the replica has caught up", "the fare rules allow it", "the bill is paid",
	"the legal team signs off", "the canary stays healthy", "the snapshot is younger than a day",
	"the traffic is below the nightly low", "the passenger holds a visa", "the airline waives the penalty",
	"the sample exceeds a thousand rows", "the correlation survives the holdout", "the feature flag is off",
	"the maintenance window has begun", "the supplier ships from stock", "the budget owner replies",
	"the guest list is final", "the index has been rebuilt", "the lock file is clean", "the courier has a key",
	"the crew is rested", "the reviewers are unanimous", "the mirror in Kraków is up", "the São Paulo desk is staffed",
}

// deadlines are when a duty is due.
var deadlines = []string{
	"Friday", "Monday noon", "the end of March", "18:00 UTC", "the next board meeting", "2027-01-15",
	"tomorrow evening", "the third of May",
}

// suspects are what may be the cause of something.
var suspects = []string{
	"the stale cache", "the leap second", "the new compiler", "the proxy", "the old intermediate certificate",
	"the double encoding", "the clock skew", "the retry storm", "the missing foreign key", "the wrong locale",
	"the shared test database", "the noisy neighbour", "the network driver", "the schema drift", "the duplicate webhook",
	"the currency rounding", "the timezone table", "the connection pool", "the partial deploy", "the fuel surcharge",
	"the codeshare mapping", "the silent truncation", "the off-season roster", "the loose cable", "the naïve parser",
	"the Zürich gateway",
}

// guesses are whole clauses that may be so.
var guesses = []string{
	"the vendor renamed a column", "the sensor froze overnight", "the courier mixed up the parcels",
	"the airline swapped the aircraft", "the survey reached the wrong group", "a cron job ran twice",
	"the contractor kept an older draft", "the balancer favours one zone", "the export skips the last page",
	"the upstream mirror lags", "two clerks edited the same sheet", "the crew list was cached",
	"the weighting ignores the small shops", "a migration ran halfway", "the plotter eats the margin",
	"an intern cleaned the wrong folder", "the seat map is outdated", "the linter rewrote the imports",
	"the scale drifted in the cold", "the storm closed the hub", "the token expired mid run",
	"the warehouse counted pallets twice", "the coupon was already spent", "the Málaga desk filed late",
}

// tasks are what is open or done.
var tasks = []string{
	"the billing migration", "the visa application", "the index rebuild", "the vendor review", "the seat change",
	"the refund request", "the firewall audit", "the invoice dispute", "the hotel transfer", "the churn study",
	"the wiki cleanup", "the access request", "the release checklist", "the root cause report", "the data dictionary",
	"the lease renewal", "the onboarding pack", "the load test", "the survey export", "the meal request",
	"the certificate renewal", "the paper order", "the pivot table", "the incident timeline", "the Orléans shipment",
	"the стенд upgrade",
}

// headings are agreed word for word.
var headings = []string{
	"Harbour Lights at Noon", "Harbour Lights at Dusk", "A Field Guide to Quiet Releases", "Terms for the Northern Depot",
	"Terms for the Southern Depot", "Notes on a Slow Leak", "What the Meter Saw", "Onboarding, Part Two",
	"Onboarding, Part Three", "Small Print for Large Orders", "The Long Way to Lisbon", "The Short Way to Lisbon",
	"Winter Roster", "Winter Rosters", "Übersicht für Händler", "Übersicht für Kunden", "Années de vols",
	"План на весну", "План на осень", "東京の夜", "Minutes of the Ninth Meeting", "Minutes of the Nineteenth Meeting",
	"Ledger of Lost Parcels", "How We Count Seats", "How We Count Sheets", "Postmortem of a Friday Deploy",
	"Cabin Rules for Students", "A Table of Two Markets",
}

// A lexicon holds things that are compared exactly, in families that look
// alike, with what each may be the value of.
type lexicon []family

type family struct {
	nouns  []string
	values []string
}

// names are identifiers.
var names = lexicon{
	{[]string{"source table", "lookup table", "export table", "ledger table"},
		[]string{"orders_v2", "orders_v3", "orders_v2_old", "customers_eu", "customers_us", "fact_sales.daily", "fact_sales.hourly"}},
	{[]string{"config path", "log path", "mount point", "export folder"},
		[]string{"/etc/app", "/etc/app.bak", "/etc/app/conf.d", "/var/log/intake", "/var/log/intake2", "/srv/data-1", "/srv/data-10", "~/notes/plan.md", "~/notes/plan2.md", `D:\drop\out`}},
	{[]string{"rollout target", "test environment", "failover site", "default realm"},
		[]string{"prod", "non-prod", "prod-eu", "preprod", "staging-2", "staging-21"}},
	{[]string{"primary host", "jump host", "metrics host", "build host"},
		[]string{"db-07", "db-70", "db-07a", "cache-3.internal", "cache-30.internal", "10.20.0.4", "10.20.0.40", "node_17", "node_71"}},
	{[]string{"base branch", "release tag", "pinned commit", "rollback tag"},
		[]string{"release/4.2", "release/4.20", "v1.8.3", "v1.8.30", "9f3c2ab", "9f3c2ba", "fix/login-loop"}},
	{[]string{"parent ticket", "tracking number", "change request", "duplicate ticket"},
		[]string{"OPS-114", "OPS-1140", "OPS-141", "INC0042", "INC0420", "PR#88", "PR#888"}},
	{[]string{"booking code", "flight number", "return flight", "fare basis"},
		[]string{"K7QX2P", "K7QX2B", "LH1872", "LH1827", "UA-930", "UA-390"}},
	{[]string{"contract number", "purchase order", "cost centre", "ledger account"},
		[]string{"PO-55012", "PO-55021", "C-2031/A", "C-2031/B", "CC-410", "CC-401", "4400-17"}},
	{[]string{"escalation contact", "billing mailbox", "team channel", "second contact"},
		[]string{"ops@north.example", "ops@south.example", "#incident-12", "#incident-21", "@mira.k", "@mira.h"}},
	{[]string{"join key", "weight column", "label column", "sort column"},
		[]string{"user_id", "user_uid", "net_amount", "net_amount_eur", "ts_utc", "ts_utc2"}},
	{[]string{"site name", "mirror name", "project name", "contact name"},
		[]string{"Москва-1", "Москва-2", "東京-2", "東京-3", "São-Paulo-2", "São-Paulo-3", "Zoë", "Δelta-9"}},
}

// figures are quantities with their units.
var figures = lexicon{
	{[]string{"request timeout", "p99 latency", "retry delay", "debounce interval"},
		[]string{"250 ms", "25 ms", "2500 ms", "1.5 s", "15 s", "5 ms"}},
	{[]string{"error budget", "volume discount", "sample share", "overhead"},
		[]string{"12.5 %", "1.25 %", "2.5 %", "99.95 %", "99.5 %"}},
	{[]string{"retry count", "restart count"},
		[]string{"3 retries", "13 retries", "30 retries"}},
	{[]string{"batch size", "page size"},
		[]string{"500 rows", "5000 rows", "50 rows"}},
	{[]string{"upload size", "heap size", "cache size", "log volume"},
		[]string{"64 MB", "64 GB", "640 MB", "1.5 GB", "15 GB"}},
	{[]string{"advance payment", "travel budget", "purchase limit", "late fee"},
		[]string{"1,200 EUR", "12,000 EUR", "1,200 USD", "89.90 EUR", "98.90 EUR"}},
	{[]string{"retention period", "notice period", "payment term", "embargo"},
		[]string{"30 days", "90 days", "13 days", "6 weeks", "16 weeks"}},
	{[]string{"minimum layover", "cooling time", "boarding time"},
		[]string{"45 minutes", "4.5 hours", "145 minutes"}},
	{[]string{"baggage allowance", "parcel weight"},
		[]string{"23 kg", "32 kg", "2.3 kg"}},
	{[]string{"ingest rate", "export rate", "polling rate"},
		[]string{"800 req/s", "80 req/s", "8000 req/s"}},
}

// accented are the letters above that can also be written as a letter and a
// mark, and how.
var accented = map[rune]string{
	'é': "e\u0301", 'á': "a\u0301", 'ó': "o\u0301", 'ç': "c\u0327", 'ï': "i\u0308", 'ë': "e\u0308",
	'ü': "u\u0308", 'ä': "a\u0308", 'ã': "a\u0303", 'Ü': "U\u0308",
}
