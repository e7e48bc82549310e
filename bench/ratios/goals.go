package main

// A goal is one row of the table: a benchmark, what it is measured against,
// and how it should stand to that. Source of the limits: PERFORMANCE, "How
// fast it must be".
type goal struct {
	what   string
	of     string // a benchmark, and a unit where it is not sec/case
	anchor string // "" is none: the figure stands for itself
	times  float64
	faster bool // the ratio is of speeds: how many times as fast as the anchor

	atMost, atLeast float64 // 0 is none; of the ratio, or of seconds where there is no anchor
}

var goals = []goal{
	{what: "one decision", of: "Decision/alone", anchor: "Decision/load", atMost: 2.2},
	{what: "with its reasons", of: "Decision/reasons", anchor: "Decision/load", atMost: 3.2},
	{what: "the same, refusals only", of: "Decision/refusals", anchor: "Decision/load", atMost: 3.2},
	{what: "a refusal's text, read", of: "Decision/refusals-read", anchor: "Decision/refusals"},
	{what: "a batch in memory", of: "Batch/memory", anchor: "Batch/memory-copy", atMost: 2.5},
	{what: "a batch in a cache", of: "Batch/cache", anchor: "Batch/cache-copy"},
	{what: "all 524,288 decisions, guard", of: "Exhaustive/guard", times: 1 << 19, atMost: 1e-3},
	{what: "all 524,288 decisions, joint", of: "Exhaustive/joint", times: 1 << 19, atMost: 1e-3},
	{what: "the same, judged", of: "Judge/exhaustive", times: 1 << 19},
	{what: "a request by names", of: "Request/typical", anchor: "Decision/alone"},
	{what: "a request, refused", of: "Request/refused", anchor: "Request/typical"},
	{what: "a request of 100 classes", of: "Request/wide", anchor: "Request/typical"},

	{what: "fold, 10^3 events", of: "Fold/1e3", anchor: "Fold/1e3-minimum", atMost: 1.1},
	{what: "fold, 10^6 events", of: "Fold/1e6", anchor: "Fold/1e6-minimum", atMost: 1.1},
	{what: "append after 10^6, and after 10^3", of: "Append/1e6", anchor: "Append/1e3", atMost: 1.25},
	{what: "append after 10^6, and fold again", of: "Append/1e6", anchor: "Fold/1e6 sec/op", faster: true, atLeast: 1e8},
	{what: "derive 20 events", of: "Derive"},

	{what: "which of 5,000 elements 80 KB keep", of: "Retain/5000", anchor: "Retain/5000-naive", faster: true, atLeast: 150},
	{what: "the same, beyond ASCII", of: "Retain/5000-wide", anchor: "Retain/5000-wide-naive", faster: true, atLeast: 150},
	{what: "which of 100", of: "Retain/100", anchor: "Retain/100-naive", faster: true},
	{what: "which of 10", of: "Retain/10", anchor: "Retain/10-naive", faster: true, atLeast: 1},
	{what: "which of 5,000, and a look at each byte", of: "Retain/5000", anchor: "Retain/bytes"},
	{what: "5,000 elements made ready", of: "Retain/compile"},
	{what: "certify 512 KB by 5,000 elements", of: "Certify/context", anchor: "Certify/bytes", atMost: 30},
	{what: "a span of 10, compacted", of: "Plan/1e1", anchor: "Plan/1e3-bytes"},
	{what: "a span of 10^3", of: "Plan/1e3", anchor: "Plan/1e3-bytes"},
	{what: "a span of 10^5, and of 10^3", of: "Plan/1e5", anchor: "Plan/1e3"},
	{what: "names and figures of transcripts, and their oracle", of: "Extract/tokens", anchor: "Extract/oracle", faster: true, atLeast: 10},
	{what: "the same, and a look at each byte", of: "Extract/tokens", anchor: "Extract/bytes"},
	{what: "elements of every class", of: "Extract/elements", anchor: "Extract/tokens"},

	{what: "judge a decide case", of: "Judge/decide"},
	{what: "judge a derive case", of: "Judge/derive"},
	{what: "draw a decide case, bytes", of: "Generate/decide-bytes", anchor: "Generate/decide-seeded"},
	{what: "draw a decide case, replay", of: "Generate/decide-replay", anchor: "Generate/decide-seeded"},
	{what: "draw a decide case, odometer", of: "Generate/decide-odometer", anchor: "Generate/decide-seeded"},
	{what: "draw a decide case, rapid", of: "Generate/decide-rapid", anchor: "Generate/decide-seeded"},
	{what: "draw a decide case, gopter", of: "Generate/decide-gopter", anchor: "Generate/decide-seeded"},
	{what: "draw a derive case, bytes", of: "Generate/derive-bytes", anchor: "Generate/derive-seeded"},
	{what: "draw a derive case, replay", of: "Generate/derive-replay", anchor: "Generate/derive-seeded"},
	{what: "draw a derive case, odometer", of: "Generate/derive-odometer", anchor: "Generate/derive-seeded"},
	{what: "draw a derive case, rapid", of: "Generate/derive-rapid", anchor: "Generate/derive-seeded"},
	{what: "draw a derive case, gopter", of: "Generate/derive-gopter", anchor: "Generate/derive-seeded"},
	{what: "the whole loop, decide", of: "Loop/decide", anchor: "Generate/decide-seeded"},
	{what: "the whole loop, derive", of: "Loop/derive", anchor: "Generate/derive-seeded"},

	{what: "draw a conversation", of: "Reduce/draw"},
	{what: "a conversation reduced and judged, in process", of: "Reduce/in-process", anchor: "Reduce/draw"},
	{what: "the same through Python", of: "Reduce/python", anchor: "Reduce/draw"},

	{what: "a request, written", of: "Spelling/write-request"},
	{what: "a request, read", of: "Spelling/read-request"},
	{what: "an answer, written", of: "Spelling/write-answer"},
	{what: "an answer, read", of: "Spelling/read-answer"},
	{what: "another process, lock-step", of: "Wire/lock-step", anchor: "Wire/raw", faster: true, atLeast: 0.5},
	{what: "another process, window 64", of: "Wire/window", anchor: "Wire/lock-step", faster: true, atLeast: 10},
	{what: "another process, batched", of: "Wire/batched", anchor: "Wire/lock-step", faster: true},
}
