package extract

import "strings"

// A sense is what a word may be.
type sense uint32

const (
	unitOf     sense = 1 << iota // of measure, also right behind a number
	spacedUnit                   // of measure, behind a number and a space
	currencyOf                   // a currency's code
	ordinalOf                    // st, nd, rd, th
	timesOf                      // k, M: so many times
	monthOf
	zoneOf   // of time
	halfOf   // am, pm
	countOf  // two to nineteen
	tensOf   // twenty to ninety
	smallOf  // never counted
	commonOf // capitals that name nothing
	periodOf // after "one": a stretch of time
	partOf   // of a hyphened name
	thingOf  // before a name
	codeOf   // before a code
	releaseOf
	orderOf // before the number of an order
	fileOf  // an extension
	signalOf
	starts // something that is more than one word
)

// senses of every word that means something here.
var senses = func() map[string]sense {
	all := map[string]sense{}
	add := func(s sense, words string) {
		for _, w := range strings.Fields(words) {
			all[w] |= s
		}
	}
	both := func(s sense, words string) { // with a small letter and with a capital
		add(s, words)
		for _, w := range strings.Fields(words) {
			all[strings.ToUpper(w[:1])+w[1:]] |= s
		}
	}
	add(unitOf|spacedUnit, `
		ns µs us ms s sec secs min mins h hr hrs d wk wks mo yr yrs kB KB MB GB TB PB KiB MiB GiB TiB kb Mb Gb kbit Mbit Gbit kbps Mbps Gbps
		nm µm um mm cm m km mi ft yd µg mg g kg t lb lbs oz ml mL cl l mW kW MW GW kWh MWh GWh mV kV mA mAh Hz kHz MHz GHz kJ hPa kPa
		px pt em rem vw vh dpi fps rpm dB ppm pp bps qps QPS rps RPS am pm AM PM`)
	add(spacedUnit, `B W V A K L J Pa bar bit bits byte bytes`)
	add(timesOf, `k K M mn bn`)
	add(ordinalOf, `st nd rd th`)
	add(currencyOf|commonOf|starts, `
		AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY KRW MXN NOK NZD PLN RUB SEK SGD TRY USD ZAR`)
	add(monthOf|starts, `
		January February March April May June July August September October November December
		Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec`)
	add(zoneOf, `UTC GMT BST CET CEST EET EEST WET WEST EST EDT CST CDT MST MDT PST PDT IST JST ET PT`)
	add(halfOf, `am pm AM PM a.m p.m`)
	both(countOf|starts, `
		two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`)
	both(tensOf|countOf|starts, `twenty thirty forty fifty sixty seventy eighty ninety`)
	both(starts, `an half one`)
	add(starts, `twice`)
	add(periodOf, `second minute hour day week month quarter year night`)
	add(smallOf, `
		a about above across after again against ago all along already also always am among an and any are around as at
		be because been before behind below beside between both but by can cannot could
		did do does done during each either else even ever every few for from
		had has have he her here him his how if in into is it its just later least less like
		many may me might more most much must my near never next no nor not now
		of off often on once one only onto or other others our out over per perhaps plus
		shall she should since so some still such than that the their them then there these they this those though through till
		to today together tomorrow too toward towards under until up upon us versus very via vs
		was we were what when where whether which while who whom whose why will with within without would
		yesterday yet you your`)
	add(commonOf, `
		AI ALL AM AND ANY API AS ASAP AT AWS BUT BY CA CAN CEO CET CFO CPU CSS CSV CTO DB DELETE DID DNS DO DOB EST ET ETA EU FAQ FOR FROM
		GET GMT GO HAS HE HR HTML HTTP HTTPS ID IF II III IN IO IP IS IST IT JSON MAX ME MIN MY NASA NO NOT NOW NULL NY OF OK ON OR OS OUR OUT
		PATCH PC PDF PDT PM POST PR PST PT PUT QA RAM SDK SMS SO SQL SSD SSH SSL TBD TCP THE TLS TO TODO TRUE FALSE TV UI UK UN UP URI URL US USA USB UTC UX
		VAT VIP VM VPN WE WHO WHY XML YES YET YOU
		APR AUG DEC FEB JAN JUL JUN MAR NOV OCT SEP MON TUE WED THU FRI SAT SUN`)
	add(partOf, `api app cli db dev eu lib prod sdk srv stg svc ui us`)
	both(thingOf, `branch bucket cluster container database host job module namespace node package pod queue repo repository service table topic`)
	both(codeOf, `code status port process error exited`)
	add(codeOf, `HTTP PID pid errno`)
	both(releaseOf, `version release`)
	add(releaseOf, `
		Android Chrome Debian Django Firefox Go Java Kubernetes MySQL Node PHP PostgreSQL Postgres Python Rails React Redis Ruby Rust Safari Ubuntu Windows`)
	both(orderOf, `order ticket invoice case account reference ref booking reservation number`)
	add(orderOf, `ID id ending`)
	add(fileOf, `
		bash bat c cc cfg cpp cs css csv go h hpp html ini java js json jsx kt log lua md mjs php pl ps1 py rb rs rst scala scss sh sql swift
		tf toml ts tsx txt vue xml yaml yml`)
	add(signalOf, `
		EACCES EADDRINUSE EAGAIN EBADF EBUSY ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EFAULT EHOSTUNREACH EINTR EINVAL EIO EISDIR ELOOP EMFILE
		ENFILE ENETUNREACH ENOENT ENOMEM ENOSPC ENOTDIR ENOTEMPTY ENOTFOUND EPERM EPIPE EROFS ETIMEDOUT
		SIGABRT SIGBUS SIGCHLD SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT SIGSEGV SIGSTOP SIGTERM SIGUSR1 SIGUSR2 OOMKilled`)
	return all
}()

// A meaning is a word and its senses.
type meaning struct {
	word string
	sense
}

// meanings are all words by length and first letter: there are few of each.
// starting tells by first letter of what lengths those are that start
// something.
var meanings, starting = func() (all [16][128][]meaning, start [256]uint32) {
	for w, s := range senses {
		c := w[0] & 127 // µ begins no other word
		all[len(w)][c] = append(all[len(w)][c], meaning{w, s})
		if s&starts != 0 {
			start[w[0]] |= 1 << len(w)
		}
	}
	return all, start
}()

// senseOf is what a word may be.
func senseOf(w string) sense {
	if w == "" || len(w) >= len(meanings) {
		return 0
	}
	for _, m := range meanings[len(w)][w[0]&127] {
		if m.word == w {
			return m.sense
		}
	}
	return 0
}

func mayStart(w string) bool { return starting[w[0]]>>len(w)&1 != 0 }

// counts tells whether a word says how many: two to ninety-nine.
func counts(w string) bool {
	tens, ones, hyphened := strings.Cut(w, "-")
	if !hyphened {
		return senseOf(w)&countOf != 0
	}
	return senseOf(tens)&tensOf != 0 && ones != "" && allOf(ones, lower)
}

// allOf tells whether all characters of an ASCII word are of these kinds.
func allOf(w string, these kinds) bool {
	for i := range len(w) {
		if kindOf[w[i]]&these == 0 {
			return false
		}
	}
	return true
}
