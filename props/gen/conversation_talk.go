package gen

// What stands around plants.

// smallTalk is what may be dropped: it holds no digit, no quote, no name and
// none of the words that mark something to be kept. A test holds that.
var smallTalk = []string{
	"Thanks.", "Good.", "Sounds good to me.", "Great, carry on.", "Lovely.", "Makes sense.", "Fair enough.",
	"All clear here.", "Nice work so far.", "That was quick.", "My coffee is getting cold.", "It rains again here.",
	"Happy with that.", "Take your time.", "Much appreciated.", "Interesting.", "Same thought here.", "Hm, okay.",
	"Back from lunch.", "The weekend is near.", "What a day.", "Glad to hear it.", "With pleasure.", "You are welcome.",
	"Working on it.", "One moment please.", "Here we go.", "Understood.", "Right away.", "Happy to help.",
	"Looking into it now.", "Very well.", "Almost there.", "Good point.", "Sure thing.", "As you like.",
	"The train is full again.", "Somebody brought cake.", "The printer hums along.", "Greetings from the balcony.",
}

// requests are newest turns of a user who wants something, which is to come
// out word for word.
var requests = []string{
	"Where do we stand?", "Please sum up where we are.", "Can you look at lines 40 to 52 again?",
	"Which of the 3 drafts reads best?", "What is left for today?\nI have half an hour.", "How sure are you about that, 1 to 10?",
	`Read me the sentence that begins with "However" once more.`, "Go on with step 4, please.",
	"Could you explain the last table to a newcomer?", "And what would you do in my place?",
	"List the files you touched under src/core.", "Is anything waiting for me? I leave at five.",
	"Compare it with what we had in week 31.", "Please continue, I am reading along.",
}

// asides hold marks and figures and are of no consequence.
var asides = []string{
	"It was about 14 degrees in the server room.", "The build took 7 minutes and 12 seconds.",
	"I opened src/core/loader.go for a look.", `Somebody wrote "hurrah" in the margin.`, "Page 3 of the handout has a coffee stain.",
	"The second meeting room is free at two.", "There were 41 of us on the line.", "My notes are in ~/scratch/today.txt.",
	"The lift stopped on floor 6 again.", "Chapter 9 is the one with the drawings.", "Ticket sales begin at 9 o'clock.",
	"The plant by the window got a new leaf, number 5.", "Row 118 is where the commas begin.",
	"If it rains we sit inside.", "Nobody had seen the memo.", "The clock in the hall is 4 minutes fast.",
	"We moved from room B2 to room C7.", "A first draft exists somewhere.", "The bus is due at 17:08.",
	"Half of the 26 chairs are blue.", "I called the front desk twice.", "The demo ran on build 5093.",
	"He signs his mails with -k.", "There is a lunch voucher worth 8 coins.", "The old logo had 3 stripes.",
}

// standing are rules of the system that nobody tests.
var standing = []string{
	"You are a helpful assistant.", "Answer in the language of the question.", "Keep answers under 200 words.",
	"Cite the file and the line.", "Use plain words.", "Today is a working day.", "Ask when something is unclear.",
	"The team works in 3 time zones.", "Numbers are written with digits.", "Be polite, also when others are not.",
}

// opening is what a user says where a conversation would otherwise begin with
// somebody else.
const opening = "Hello."

// A toolUse is a call and what comes back. args are spelled as on the wire.
type toolUse struct{ name, args, result string }

var toolUses = []toolUse{
	{"read_file", `{"path":"docs/intro.txt"}`, "Welcome to the docs.\n(12 lines)"},
	{"list_files", `{"depth":2,"path":"src"}`, "src/core\nsrc/core/loader.go\nsrc/ui\nsrc/ui/menu.go"},
	{"run_command", `{"cmd":"make quick"}`, "exit 0 after 31 s"},
	{"search", `{"limit":5,"query":"loader"}`, "5 hits in 3 files"},
	{"http_get", `{"url":"https://status.example/health"}`, `{"ok":true,"uptime_hours":812}`},
	{"query", `{"sql":"select count(*) from visits"}`, "count\n48213"},
	{"get_weather", `{"city":"Porto"}`, "17 degrees, light wind"},
	{"lookup_flight", `{"day":14,"from":"OSL","to":"LIS"}`, "2 flights, 4 seats"},
	{"get_calendar", `{"week":31}`, "Tuesday 10:00 review\nThursday 15:30 demo"},
	{"metrics", `{"name":"cpu","window":"15m"}`, "0.41 0.44 0.39 0.42"},
	{"list_orders", `{"state":"shipped"}`, "order 771 shipped\norder 774 shipped"},
	{"convert", `{"amount":250,"from":"NOK","to":"EUR"}`, "21.37"},
	{"git_log", `{"n":3}`, "a81f0c4 Tidy imports\n07be112 Reword help\n5d90aa3 Bump year"},
	{"translate", `{"text":"good morning","to":"pt"}`, "bom dia"},
	{"plot", `{"series":["north","south"]}`, "plot_2.png 640x480"},
	{"count_words", `{"document":"handout"}`, "1904 words"},
	{"now", `{}`, "2026-03-04 10:12"},
}

// logTail is the call whose result is long.
var logTail = toolUse{name: "tail_log", args: `{"file":"run.log"}`}

// noted are calls that say a sentence in their arguments, at SAID, however
// deep.
var noted = []toolUse{
	{"add_note", `{"note":SAID}`, "saved"},
	{"post_message", `{"channel":"general","text":SAID}`, "posted"},
	{"create_ticket", `{"fields":{"body":SAID,"labels":["later"]},"priority":2}`, "ticket created"},
	{"append_items", `{"items":[SAID],"list":"today"}`, "1 item appended"},
}

// setting is the call whose argument is nothing but a name or a figure.
var setting = toolUse{"set_value", `{"value":SAID}`, "set"}

// logs are lines of long output; the number is the line's own.
var logs = []string{
	"2026-03-04T10:%02[2]d:%02[1]d worker rebuilt segment %[3]d",
	"[%[3]d] GET /assets/img/%[3]d.png 200",
	"row %[3]d: north, %[1]d, %[2]d",
	"  at core.step(loader.go:%[3]d)",
	"PASS case_%[3]d (0.%02[1]d s)",
	"%[3]d\tlorem ipsum dolor\t%[1]d",
	"copying part %[3]d of the image",
	"DEBUG cache probe %[3]d miss, bucket %[1]d",
	"- item %[3]d, shelf %[2]d, box %[1]d",
	"#%[3]d verified",
}
