package textpage

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/server"
)

// usual has the default engines of commands.
var usual = map[string]string{"run": engines.Names()[0], "verify": engines.VerifierNames()[0]}

// InShell returns the shell command that asks the same question about its standard input.
func InShell(command string, models []string, engine string, o solver.Options, more ...string) string {
	words := []string{"litmuscope", command}
	for _, m := range models {
		if m != "" { // the default model needs no flag
			words = append(words, "-m", m)
		}
	}
	if engine != "" && engine != usual[command] {
		words = append(words, "-e", engine)
	}
	words = append(words, more...)
	for _, o := range optionform.Changed(o) {
		words = append(words, "--"+o.Name+"="+o.Value)
	}
	for i, w := range words {
		words[i] = Quoted(w)
	}
	return strings.Join(append(words, "-"), " ")
}

// Curl returns the command that posts a body to a path of the server at origin.
func Curl(s *server.Server, origin, path string, body any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return "", err
	}
	at, err := url.Parse(origin)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return "", server.Refuse("The server's address is missing.")
	}
	words := []string{"curl", "-sS", at.Scheme + "://" + at.Host + path, "-H", "Content-Type: application/json"}
	for i, w := range words {
		words[i] = Quoted(w)
	}
	if s.Auth {
		words = append(words, `-H "Authorization: Bearer $LITMUSCOPE_TOKEN"`)
	}
	return Typeable(Heredoc(strings.Join(append(words, "--data-binary", "@-"), " "), "JSON", b.String()))
}

// Heredoc returns a command with text as its standard input, in a here-document.
func Heredoc(command, end, text string) string {
	for slices.Contains(strings.Split(text, "\n"), end) {
		end += "_"
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return command + " <<'" + end + "'\n" + text + end + "\n"
}

// Quoted quotes a word for a shell.
func Quoted(word string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("_@%+=:,./~-", c)
	}
	odd := strings.IndexFunc(word, func(c rune) bool { return !plain(c) })
	if word != "" && odd < 0 && word[0] != '~' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Typeable returns a Refusal if a command contains control characters that a terminal would interpret when the command
// is pasted.
func Typeable(command string) (string, error) {
	for _, c := range command {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			return "",
				server.Refuse(
					"No command for this text: it contains the control character %U, which a terminal would interpret.",
					c)
		}
	}
	return command, nil
}

// InFolder returns commands that run in a new folder with some files. Without files, it returns the commands unchanged.
func InFolder(files map[string]string, commands string) string {
	if len(files) == 0 {
		return commands
	}
	var b strings.Builder
	b.WriteString("(cd \"$(mktemp -d)\" || exit\n")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if dir := path.Dir(name); dir != "." {
			fmt.Fprintf(&b, "mkdir -p %s\n", Quoted(dir))
		}
		b.WriteString(Heredoc("cat > "+Quoted(name), "CAT", server.UnixLines(files[name])))
	}
	return b.String() + commands + ")\n"
}

// OwnFiles returns the files of the visitor's own models, with the files that they include.
func OwnFiles(own []solver.OwnModel) (map[string]string, error) {
	files := map[string]string{}
	for _, m := range own {
		files[m.Name+".cat"] = m.Text
	}
	for _, m := range own {
		for name, text := range m.Files {
			if there, taken := files[name]; !SafePath(name) || taken && there != text {
				return nil, server.Refuse("No command for this model: it includes %q, which cannot be written "+
					"to the model's folder.", name)
			}
			files[name] = text
		}
	}
	return files, nil
}

// SafePath reports whether a file name stays below the folder in which the file is written.
func SafePath(name string) bool {
	return name != "" && !path.IsAbs(name) && path.Clean(name) == name && name[0] != '-' && name != "." &&
		name != ".." && !strings.HasPrefix(name, "../")
}
