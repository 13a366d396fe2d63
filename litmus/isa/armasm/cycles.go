package armasm

import (
	"strings"

	"litmuscope/litmus/lower"
)

// Domains returns the barriers for the whole system together with those of the other shareability domains: DMB.ISHST
// like DMB.ST.
func Domains(whole []lower.Word) []lower.Word {
	out := whole
	for _, w := range whole {
		barrier, option, _ := strings.Cut(w.Name, ".")
		if barrier == "ISB" {
			continue
		}
		option = strings.TrimPrefix(option, "SY")
		_, text, _ := strings.Cut(w.Text, ": ")
		for _, domain := range []string{"ISH", "OSH", "NSH"} {
			code := barrier + " " + domain + option
			word := lower.Word{
				Name: barrier + "." + domain + option, Text: code + ": " + text, Code: code,
				Like: w.Like,
			}
			if domain == "NSH" {
				word.Text, word.Like = code+": as "+barrier+" "+strings.TrimSpace("ISH"+option)+
					", for this thread alone", ""
			}
			out = append(out, word)
		}
	}
	return out
}
