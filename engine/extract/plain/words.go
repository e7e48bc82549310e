package plain

import "strings"

// small are words that are never counted.
var small = strings.Fields(`
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

// common are words in capitals that name nothing.
var common = set(`
	AI ALL AM AND ANY API AS ASAP AT AWS BUT BY CA CAN CEO CET CFO CPU CSS CSV CTO DB DELETE DID DNS DO DOB EST ET ETA EU FAQ FOR FROM
	GET GMT GO HAS HE HR HTML HTTP HTTPS ID IF II III IN IO IP IS IST IT JSON MAX ME MIN MY NASA NO NOT NOW NULL NY OF OK ON OR OS OUR OUT
	PATCH PC PDF PDT PM POST PR PST PT PUT QA RAM SDK SMS SO SQL SSD SSH SSL TBD TCP THE TLS TO TODO TRUE FALSE TV UI UK UN UP URI URL US USA USB UTC UX
	VAT VIP VM VPN WE WHO WHY XML YES YET YOU
	AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY KRW MXN NOK NZD PLN RUB SEK SGD TRY USD ZAR
	APR AUG DEC FEB JAN JUL JUN MAR NOV OCT SEP MON TUE WED THU FRI SAT SUN`)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}
