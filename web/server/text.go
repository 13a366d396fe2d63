package server

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
)

// ShortTime is a duration without what is zero: 1m.
func ShortTime(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	if text == "" || !strings.HasSuffix(text, "m") && !strings.HasSuffix(text, "h") {
		return d.String()
	}
	if whole, ok := strings.CutSuffix(text, "h0m"); ok {
		return whole + "h"
	}
	return text
}

// UnixLines replaces the line ends of browsers, CR LF, by LF.
func UnixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// Plural is a word as it follows a number.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// Thousands is a number with commas.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Visible takes out of text that visitors have sent what a page would obey rather than
// show: control characters, and those that turn the direction of writing.
func Visible(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028' || c == '\u2029' {
			return '\uFFFD'
		}
		return c
	}, s)
}

// Shortened cuts a name to 80 bytes, for error messages.
func Shortened(name string) string { return name[:min(len(name), 80)] }

// Characters is the length of a text as browsers count it.
func Characters(text string) int { return len(utf16.Encode([]rune(text))) }
