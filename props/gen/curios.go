package gen

import "github.com/floorcheck/floorcheck/floor"

// curios are drafts that ask for one sentence of RULES.md 2a each: joiners,
// nesting either way, letters in two parts, marks, white space that does not
// look like it, and what looks like it and is none.
var curios = []draft{
	// What is glued to a name, and what is not.
	{
		match: floor.Exact, forms: []string{"live"}, inverted: []string{"non-live"},
		keeps:   []string{"roll out to live", "live: yes", "live, then rest", "live...", "[live]"},
		voids:   []string{"roll out to non-live", "non-live."},
		misses:  []string{"alive", "live-eu", "pre-live", "LIVE", "live/eu", "live_2", "re.live", "live\u0301", "live~", "@live", "live.eu"},
		clashes: []string{"live, not non-live"},
	},
	{
		match: floor.Exact, forms: []string{"/opt/app"}, inverted: []string{"/opt/app.bak"},
		keeps:   []string{"read /opt/app.", "/opt/app...", "'/opt/app'", "/opt/app, twice"},
		voids:   []string{"read /opt/app.bak", "/opt/app.bak."},
		misses:  []string{"/opt/app/", "~/opt/app", "/opt/apps", "/opt/app.d", "/opt/App", "/opt/app..x", "/opt/app.-"},
		clashes: []string{"/opt/app and /opt/app.bak"},
	},
	{
		match: floor.Exact, forms: []string{"7 ms"}, inverted: []string{"not 7 ms"},
		keeps:  []string{"within 7 ms", "7\u00a0ms", "7\n ms", "–7 ms", "½,7 ms", "7 ms: fine"},
		voids:  []string{"not 7 ms"},
		misses: []string{"1.7 ms", "17 ms", "7 msec", "7 Ms", "-7 ms", "1,7 ms", "0:7 ms", "7 ms/s", "7  m s", "7ms", "7.ms"},
	},
	{
		match: floor.Exact, forms: []string{"10:40"},
		keeps:  []string{"at 10:40: doors open", "10:40, sharp", "=10:40"},
		misses: []string{"10:40:15", "110:40", "10:405", "10: 40", "9,10:40", "10.40"},
	},
	{
		match: floor.Exact, forms: []string{"3,400"}, inverted: []string{"13,400"},
		keeps:  []string{"3,400, then more", "a,3,400"},
		voids:  []string{"13,400 in all"},
		misses: []string{"13,4000", "3,400,000", "3,4000", "3 400", "3.400", "0:3,400"},
	},
	{
		match: floor.Exact, forms: []string{"٤٢"},
		keeps:  []string{"رقم ٤٢"},
		misses: []string{"٣,٤٢", "٤٢:٠", "٤٢٠", "42"},
	},
	{
		match: floor.Exact, forms: []string{"9 m"},
		keeps:  []string{"9 m.", "9\u2009m"},
		misses: []string{"9 m²", "9 m_", "9 m.s", "9 m/s", "½9 m"},
	},
	{
		match: floor.Exact, forms: []string{"approx."}, inverted: []string{"nothing approx."},
		keeps:  []string{"approx. half", "approx... half"},
		voids:  []string{"nothing approx. here"},
		misses: []string{"approx.x", "Approx.", "approx,", "inapprox."},
	},
	{
		match: floor.Exact, forms: []string{"#9"},
		keeps:  []string{"see #9,", "#9: fixed", "(#9)"},
		misses: []string{"##9", "#91", "a#9", "#9.1", "#9+", "# 9"},
	},
	{
		match: floor.Exact, forms: []string{`E:\drop`}, inverted: []string{`E:\drop\out`},
		keeps:  []string{`on E:\drop.`, `*E:\drop*`},
		voids:  []string{`on E:\drop\out`},
		misses: []string{`E:\drop\in`, `e:\drop`, `RE:\drop`, `E:\drops`, `E: \drop`},
	},
	{
		match: floor.Exact, forms: []string{"$5"},
		keeps:  []string{"pay $5.", "$5, no more"},
		misses: []string{"US$5", "$5.50", "$50", "$5%", "$$5", "$ 5"},
	},
	{
		match: floor.Exact, forms: []string{"+4"},
		keeps:  []string{"(+4)", "at +4: on"},
		misses: []string{"+41", "2+4", "+4.5", "+4-", "++4"},
	},
	{
		match: floor.Exact, forms: []string{"Zulu-9"}, inverted: []string{"Zulu-9 no more"},
		keeps:  []string{"Zulu-9", "for Zulu-9 no longer"},
		voids:  []string{"Zulu-9 no more"},
		misses: []string{"ZULU-9", "zulu-9", "Zulu\u20119", "Zulu–9", "Zulu-9\u0301", "X/Zulu-9"},
	},

	// A form inside an inverted form, the other way round, and both.
	{
		forms: []string{"gate open"}, inverted: []string{"gate open no more"},
		keeps:   []string{"gate open", "gate open no longer"},
		voids:   []string{"gate open no more"},
		misses:  []string{"gate opens", "floodgate open", "gate, open"},
		clashes: []string{"gate open, then gate open no more"},
	},
	{
		forms: []string{"never copy the dump"}, inverted: []string{"copy the dump"},
		keeps:   []string{"never copy the dump", "you never copy the dump twice"},
		voids:   []string{"copy the dump", "never. copy the dump", "never, copy the dump", "whenever copy the dump"},
		misses:  []string{"never copy the dumps", "never copy a dump", "never copy the\u200ddump"},
		clashes: []string{"never copy the dump, copy the dump", "copy the dump; never copy the dump"},
	},
	{
		forms: []string{"send the crate", "do not hold the crate"}, inverted: []string{"hold the crate", "do not send the crate"},
		keeps:   []string{"send the crate", "do not hold the crate"},
		voids:   []string{"hold the crate", "do not send the crate"},
		misses:  []string{"do not bend the crate", "resend the crate", "send the crates"},
		clashes: []string{"send the crate, hold the crate", "do not hold the crate, do not send the crate"},
	},
	{ // one overlaps the other, and neither holds it
		forms: []string{"keep the spare key"}, inverted: []string{"spare key is void"},
		keeps:   []string{"keep the spare key", "keep the spare key is what they said"},
		voids:   []string{"the spare key is void"},
		misses:  []string{"keep the spare keys", "keep a spare key", "upkeep the spare key"},
		clashes: []string{"keep the spare key is void"},
	},
	{ // what would hold the form is glued to something, and does not occur
		forms: []string{"sign it today"}, inverted: []string{"not sign it today"},
		keeps:  []string{"they cannot sign it today", "sign it today"},
		voids:  []string{"do not sign it today"},
		misses: []string{"design it today", "sign it todays", "sign today"},
	},
	{ // three deep
		forms: []string{"the pump runs", "it is false that the pump runs not"}, inverted: []string{"the pump runs not"},
		keeps:  []string{"the pump runs", "it is false that the pump runs not"},
		voids:  []string{"the pump runs not"},
		misses: []string{"the pumps run", "the pump ran"},
	},
	{ // phrases that are empty never occur
		forms: []string{"", " \n", "stay dry"}, inverted: []string{"get wet"},
		keeps: []string{"stay dry"}, voids: []string{"get wet"}, misses: []string{"stay", "stay drying", "…"},
	},
	{ // nothing keeps it
		forms: []string{}, inverted: []string{"the relay is off"},
		voids: []string{"the relay is off"}, misses: []string{"the relay is on", "the relay is offline"},
	},
	{ // nothing voids it
		forms: []string{"blue lamp", "blue lamp at dusk"},
		keeps: []string{"a blue lamp", "Blue lamp at dusk"}, misses: []string{"blue lamps", "the blue, lamp"},
	},

	// Letters, marks and digits.
	{
		forms: []string{"lane q"}, inverted: []string{"lane q is shut"},
		keeps:   []string{"Lane Q", "LANE\u2003Q", "lane q-r"},
		voids:   []string{"Lane Q is shut"},
		misses:  []string{"lane q\u0301", "lane q_", "lane\u200b q", "lane quay", "planelane q", "lane q٣"},
		clashes: []string{"lane q, lane q is shut"},
	},
	{ // it begins with a mark
		forms:  []string{"\u0308omega"},
		keeps:  []string{"(\u0308omega)", "-\u0308OMEGA"},
		misses: []string{"a\u0308omega", "b\u0308omega", "omega", "\u0308omegas"},
	},
	{
		forms: []string{"naïve plan b"}, inverted: []string{"nai\u0308ve plan b is off"},
		keeps:  []string{"nai\u0308ve plan b", "NAÏVE PLAN B", "NAI\u0308VE plan b."},
		voids:  []string{"naïve plan b is off", "NAÏVE PLAN B IS OFF"},
		misses: []string{"naive plan b", "nai\u0308\u0301ve plan b", "naïve plan b\u0308"},
	},
	{
		match: floor.Exact, forms: []string{"Ångström-2"},
		keeps:  []string{"\u212bngstro\u0308m-2", "A\u030angström-2"},
		misses: []string{"Angström-2", "ångström-2", "Ångström-2\u0308", "Ångstrom-2"},
	},
	{ // two marks in either order
		forms:  []string{"tag d\u0323\u0307"},
		keeps:  []string{"tag d\u0307\u0323", "TAG D\u0323\u0307", "tag \u1e0b\u0323"},
		misses: []string{"tag d\u0323", "tag d\u0307", "tag d\u0323\u0307\u0301"},
	},
	{
		forms: []string{"한국 지사"}, inverted: []string{"한국 지사 아님"},
		keeps:  []string{"\u1112\u1161\u11ab\u1100\u116e\u11a8 \u110c\u1175\u1109\u1161", "한국\u3000지사"},
		voids:  []string{"한국 지사 아님"},
		misses: []string{"한국 지사가", "한국지사"},
	},
	{
		match: floor.Exact, forms: []string{"東門"},
		keeps:  []string{"「東門」", "東門。"},
		misses: []string{"東門前", "大東門", "東 門"},
	},
	{
		match: floor.Exact, forms: []string{"row A7"},
		keeps:  []string{"row A7", "row\u3000A7"},
		misses: []string{"row Ａ7", "row A７", "ROW A7", "row А7"},
	},
	{
		forms: []string{"phase Ⅳ"}, inverted: []string{"phase Ⅴ"},
		keeps:  []string{"PHASE ⅳ", "phase Ⅳ"},
		voids:  []string{"phase ⅴ"},
		misses: []string{"phase IV", "phase Ⅳ2", "phase ⅣA"},
	},
	{
		forms:  []string{"step 1"},
		keeps:  []string{"Step 1:", "step 1-", "(step 1)", "step 1,5"},
		misses: []string{"step 1\ufe0f\u20e3", "step 10", "step 1½", "step １", "misstep 1"},
	},

	// Scripts that go from right to left.
	{
		forms: []string{"אין למחוק"}, inverted: []string{"למחוק"},
		keeps:   []string{"אין למחוק", "\u202bאין למחוק\u202c"},
		voids:   []string{"למחוק", "אין\u200f למחוק"},
		misses:  []string{"ולמחוק", "אין", "אין ולמחוק", "אין למחוק\u05b0"},
		clashes: []string{"אין למחוק, למחוק"},
	},
	{
		forms: []string{"لا تنشر"}, inverted: []string{"انشر"},
		keeps:  []string{"لا تنشر", "لا\u00a0تنشر"},
		voids:  []string{"انشر"},
		misses: []string{"لا تنشرها", "لا تنشر\u064f", "لا ت\u200dنشر", "ولا تنشر"},
	},

	// Signs that are no word characters.
	{
		forms: []string{"🚦 red"}, inverted: []string{"🚦 green"},
		keeps:  []string{"🚦 RED", "x🚦 red", "🚦🚦 red"},
		voids:  []string{"🚦 Green"},
		misses: []string{"🚦red", "🚥 red", "🚦 redder", "🚦\ufe0f red"},
	},
	{
		forms: []string{"✅"}, inverted: []string{"❌"},
		keeps:  []string{"✅", "done✅ok", "✅\ufe0f"},
		voids:  []string{"❌", "✓❌"},
		misses: []string{"☑", "✓"},
	},
	{
		match: floor.Exact, forms: []string{"👩"},
		keeps:  []string{"👩", "👩\u200d💻", "👩🏽"},
		misses: []string{"🧑", "👨\u200d💻"},
	},

	// White space, and what only looks like it.
	{
		forms: []string{"tea break"},
		keeps: []string{"tea\u0085break", "tea\u2028break", "tea \u1680 break", "Tea\vbreak", "tea\u202fbreak"},
		misses: []string{
			"tea\u200bbreak", "tea\u2060break", "tea-break", "teabreak", "tea\ufeffbreak", "tea\u001fbreak", "tea\u180ebreak",
			"tea \u200b break", "tea\u00adbreak", "tea_break",
		},
	},
	{
		forms: []string{"overnight courier"}, inverted: []string{"no overnight courier"},
		keeps:   []string{"overnight courier", "piano overnight courier"},
		voids:   []string{"No overnight courier"},
		misses:  []string{"over\u00adnight courier", "overnight couriers", "overnight  \u2060courier", "overnight courier\u0301"},
		clashes: []string{"no overnight courier, an overnight courier"},
	},
}
