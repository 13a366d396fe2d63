package server

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
)

// ShortTime formats a duration without zero units: 1m instead of 1m0s.
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

// Plural adds an s to a word unless n is 1.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// Thousands formats a number with commas between groups of three digits.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Visible replaces control characters, line separators and characters that change the direction of writing by U+FFFD.
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

// Characters returns the length of a text in UTF-16 units, as browsers count it.
func Characters(text string) int { return len(utf16.Encode([]rune(text))) }
