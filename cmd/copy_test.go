package cmd

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
)

// took matches the times in an answer, which differ between runs.
var took = regexp.MustCompile(`(?m)^Time .*$|"ms":[0-9.e-]+|(,(?:true|false),)[0-9.]+,`)

func withoutTimes(s string) string { return took.ReplaceAllString(s, "$1") }

// The texts as which a question can be copied have the same answer as the command line, and the commands among them
// work in a shell.
func TestCopiedAs(t *testing.T) {
	dir := t.TempDir()
	server := strings.TrimSuffix(startServer(t, dir).url, "/")
	copied := func(t *testing.T, format string, form url.Values) string {
		form.Set("origin", server)
		form.Set("link", server+"/#1=abc")
		r, err := http.PostForm(server+"/copy?format="+format, form)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v: %s", format, r.StatusCode, err, body)
		}
		return string(body)
	}
	bash := func(t *testing.T, script string) string {
		c := exec.Command("bash", "-c", script)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "no_proxy=127.0.0.1")
		var errs strings.Builder
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %s\n%s", err, &errs, script)
		}
		return string(out)
	}
	classic := func(id string) string {
		e, ok := catalogue.Find(id)
		if !ok {
			t.Fatal(id)
		}
		return e.Source
	}
	const mine = "\"it's mine\"\ninclude \"my/base.cat\"\nacyclic po | com as order\n"
	const files = `{"my/base.cat":"let com = rf | co | fr\n"}`
	for name, form := range map[string]url.Values{
		"one model": {"source": {classic("SB")}, "model": {"tso"}},
		"models": {
			"source": {classic("SB")}, "model": {"sc", "tso", "tso~consensus"}, "option-states": {"3"},
			"option-timeout": {"7s"},
		},
		"quotes": {
			"source": {"X86 SB+it's\n\"`id` !! $HOME\"\n(* !r0\nLITMUS\nJSON\n\\ *)\n{ x=0; }\n P0         ;\n" +
				" MOV [x],$1 ;\nexists (x=1)\n"}, "model": {"sc"},
		},
		"forbidden": {"source": {classic("MP")}, "model": {"sc", "power"}},
		"own model": {
			"source": {classic("SB")}, "model": {"sc"}, "own-name": {"mine"}, "own-text": {mine},
			"own-files": {files},
		},
		"two engines":  {"source": {classic("SB")}, "model": {"sc", "tso", "tso@machine"}},
		"other engine": {"source": {classic("SB")}, "model": {"tso"}, "engine": {"etso"}, "option-rounds": {"5"}},
		"CR LF":        {"source": {strings.ReplaceAll(classic("SB"), "\n", "\r\n")}, "model": {"tso"}},
	} {
		t.Run(name, func(t *testing.T) {
			command := copied(t, "run", form)
			run := bash(t, command)
			for _, format := range []string{"herd", "jsonl", "csv"} {
				got := run
				if format != "herd" {
					got = bash(t, strings.Replace(command, "litmuscope run", "litmuscope run -f "+format, 1))
				}
				want := copied(t, format, form)
				switch name {
				case "own model":
					want = strings.NewReplacer("(* mine *)", "(* mine.cat *)", `"mine"`, `"mine.cat"`, ",mine,",
						",mine.cat,").Replace(want)
				case "two engines":
					continue // two commands; below
				}
				if got, want = withoutTimes(got), withoutTimes(want); got != want {
					t.Errorf("%s: the command prints\n%s\nwant\n%s\n%s", format, got, want, command)
				}
			}
			if name == "two engines" && strings.Count(run, "Test SB Allowed") != 3 {
				t.Errorf("%s\nprints\n%s", command, run)
			}

			if _, err := exec.LookPath("curl"); err != nil {
				t.Skip("no curl")
			}
			var answer struct {
				Results []struct{ Model, Verdict, Engine string }
			}
			if err := json.Unmarshal([]byte(bash(t, copied(t, "curl", form))), &answer); err != nil {
				t.Fatal(err)
			}
			var verdicts []string
			for _, r := range answer.Results {
				verdicts = append(verdicts, r.Model+" "+r.Engine+" "+r.Verdict)
			}
			var want []string
			for line := range strings.Lines(copied(t, "jsonl", form)) {
				var r struct{ Model, Verdict, Engine string }
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				want = append(want, r.Model+" "+r.Engine+" "+r.Verdict)
			}
			if !slices.Equal(verdicts, want) {
				t.Errorf("curl gives %q, the page %q", verdicts, want)
			}
		})
	}
}
