package frontend

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mostCommands is the largest compilation database that Recorded reads, in bytes.
const mostCommands = 64 << 20

// command is an entry of a compilation database: Clang's documentation, JSON Compilation Database Format.
type command struct {
	Directory, File, Command string
	Arguments                []string
}

// Recorded returns the flags that a compilation database, compile_commands.json, has for a source file: those that
// choose the language, macros and folders. Relative folders become absolute. The error says so if the file has none.
func Recorded(database, source string) ([]string, error) {
	info, err := os.Stat(database)
	if err != nil {
		return nil, err
	}
	if info.Size() > mostCommands {
		return nil, fmt.Errorf("%s: a compilation database of more than 64 MiB is not supported", database)
	}
	text, err := os.ReadFile(database)
	if err != nil {
		return nil, err
	}
	var all []command
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: not a compilation database: %w", database, err)
	}
	want, err := filepath.Abs(source)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if !filepath.IsAbs(c.Directory) {
			c.Directory = filepath.Join(filepath.Dir(database), c.Directory)
		}
		if absolute(c.Directory, c.File) != want {
			continue
		}
		arguments := c.Arguments
		if len(arguments) == 0 {
			if arguments, err = words(c.Command); err != nil {
				return nil, fmt.Errorf("%s: the command of %s: %w", database, source, err)
			}
		}
		return flagsOf(c.Directory, arguments), nil
	}
	return nil, fmt.Errorf("%s has no command for %s", database, source)
}

func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	out, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return name
	}
	return out
}

// folders are the flags whose value is a folder or a file.
var folders = []string{"-I", "-isystem", "-iquote", "-idirafter", "-include", "-isysroot", "--sysroot="}

// flagsOf keeps the flags that change what a program means. Others, such as -c, -o and warnings, do not.
func flagsOf(dir string, arguments []string) []string {
	var out []string
next:
	for i := 0; i < len(arguments); i++ {
		a := arguments[i]
		for _, f := range folders {
			value, ok := strings.CutPrefix(a, f)
			if !ok {
				continue
			}
			if value == "" && i+1 < len(arguments) {
				i++
				out = append(out, f, absolute(dir, arguments[i]))
			} else if value != "" {
				out = append(out, f+absolute(dir, value))
			}
			continue next
		}
		switch {
		case (a == "-D" || a == "-U") && i+1 < len(arguments):
			i++
			out = append(out, a+arguments[i])
		case strings.HasPrefix(a, "-D"), strings.HasPrefix(a, "-U"), strings.HasPrefix(a, "-std="),
			strings.HasPrefix(a, "-stdlib="), strings.HasPrefix(a, "-O"), a == "-fno-exceptions", a == "-fno-rtti",
			a == "-m32", a == "-pthread":
			out = append(out, a)
		}
	}
	return out
}

// words splits a command as a POSIX shell does, without expansions.
func words(command string) ([]string, error) {
	var out []string
	var word strings.Builder
	started, quote := false, byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(command):
			i++
			if quote == '"' && !strings.ContainsRune("\"\\$`", rune(command[i])) {
				word.WriteByte(c)
			}
			word.WriteByte(command[i])
			started = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, started = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if started {
				out = append(out, word.String())
				word.Reset()
			}
			started = false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation that starts with %c does not end", quote)
	}
	if started {
		out = append(out, word.String())
	}
	return out, nil
}
