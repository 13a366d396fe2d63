package read

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// positioned splits the C parser's messages into errors with positions, in their order.
func (in *inclusion) positioned(err error, at litmus.Pos) error {
	var list litmus.ErrorList
	var unplaced []string
	early := "" // an error after the end of the file
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if len(list) == MaxErrors {
			break
		}
		m := message().FindStringSubmatch(line)
		if m == nil {
			unplaced = append(unplaced, line)
			continue
		}
		pos := litmus.Pos{File: m[1]}
		pos.Line, _ = strconv.Atoi(m[2])
		pos.Col, _ = strconv.Atoi(m[3])
		if pos.File == end {
			if early == "" {
				early = "the file ends unexpectedly"
				if _, want, ok := strings.Cut(m[4], ", expected "); ok {
					early += ": expected " + want
				}
			}
			continue
		}
		list = append(list, litmus.Errorf(pos, "%s", in.inWords(in.asWritten(pos, m[4]))))
	}
	if len(list) == 0 && early != "" {
		return litmus.Errorf(in.last, "%s", in.inWords(early))
	}
	if len(list) == 0 { // the parser does not always state a position
		return litmus.Errorf(at, "%s", in.inWords(strings.Join(unplaced, "; ")))
	}
	return list.Sorted()
}

// lastPlace returns the position of the end of a file.
func lastPlace(f File) litmus.Pos {
	text := strings.TrimRight(f.Text, " \t\r\n")
	line := strings.LastIndexByte(text, '\n')
	return litmus.Pos{File: f.Name, Line: 1 + strings.Count(text, "\n"), Col: max(len(text)-line, 1)}
}

const (
	// MaxErrors is the maximum number of errors that are found in a program. People see [litmus.MaxErrors] of them, and
	// how many more there are.
	MaxErrors  = 200
	maxMessage = 500 // maximum size of a message in bytes, because it may quote the program
)

var (
	message  = litmus.Pattern(`^(.+?):(\d+):(\d+): (.*)$`)
	atPart   = litmus.Pattern(` \(\w+\.go:\d+:[^()]*\)$`) // the parser's own source position
	notFound = litmus.Pattern(`^include file not found: (["<].*[">])$`)
)

// asWritten names a directive as in the program if directed has rewritten it.
func (in *inclusion) asWritten(pos litmus.Pos, msg string) string {
	lines := strings.Split(in.texts[pos.File], "\n")
	if msg != "unexpected #elif" || pos.Line > len(lines) {
		return msg
	}
	if m := directive().FindStringSubmatch(lines[pos.Line-1]); m != nil {
		return "unexpected #" + m[2]
	}
	return msg
}

// inWords rewrites a message of the parser so that it says what to do.
func (in *inclusion) inWords(msg string) string {
	msg = atPart().ReplaceAllString(msg, "")
	if m := notFound().FindStringSubmatch(msg); m != nil {
		where := "the file's own folder"
		if len(in.source.Dirs) > 0 {
			where += ", " + strings.Join(in.source.Dirs, ", ")
		}
		name := strings.Trim(m[1], `<">`)
		if what := strange[name]; what != "" {
			return fmt.Sprintf("%s is not built in: %s", m[1], what)
		}
		if near := litmus.Nearest(name, BuiltInHeaders()); near != "" {
			return fmt.Sprintf("%s is not found: did you mean <%s>?", m[1], near)
		}
		return fmt.Sprintf("%s is not found: searched %s and the built-in headers; -I DIR adds a folder", m[1],
			where)
	}
	switch {
	case strings.HasPrefix(msg, "macro expansion limit exceeded"):
		return fmt.Sprintf("macros expand to more than %d tokens", maxExpansion)
	// The parser's messages about unsupported features begin like this.
	case strings.HasPrefix(msg, "TODO"), strings.HasPrefix(msg, "internal error"):
		return "the C parser does not support this"
	case len(msg) > maxMessage:
		return strings.ToValidUTF8(msg[:maxMessage], "") + "…"
	}
	return msg
}
