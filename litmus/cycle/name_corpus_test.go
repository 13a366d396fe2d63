package cycle

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
)

// corpusFolder is the folder of the reference corpus, if it exists.
func corpusFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("LITMUSCOPE_CORPUS")
	if folder == "" {
		folder = "../../../shared/corpus"
	}
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
		}
		t.Skip("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
	}
	return folder
}

// quotes calls f with each test of the dialect's folder, in order, and the cycle that it quotes:
// in its Orig line, or in its doc string.
func quotes(t *testing.T, dialect string, f func(test *litmus.Test, quoted Cycle)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(corpusFolder(t), dialect), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".litmus") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		test, err := litmus.Parse(path, string(text))
		if err != nil {
			return nil // out of scope
		}
		said := test.Doc
		for _, i := range test.Info {
			if i.Key == "Orig" && i.Value != "" {
				said = i.Value
			}
		}
		if c, err := ParseCycle(test.Arch, said); err == nil {
			f(test, c)
		} else if regexp.MustCompile(`\b(Rfe|Fre|Wse|Coe)`).MatchString(said) {
			t.Logf("%s: %q: %v", test.Name, said, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// serial ends a name that tells a test from others of one name; it is not the cycle's.
var serial = regexp.MustCompile(`(\+NEW|[0-9]{3})$`)

// TestCorpusNames compares Name with the names that the corpus gives to the cycles it quotes, where those follow the
// convention. A name does if, without its numbers, it is a shape (one of the table, or the accesses at which the cycle
// enters and leaves threads), followed by nothing, by the words of one thread or of as many as the shape has, and
// perhaps by marks.
func TestCorpusNames(t *testing.T) {
	for _, d := range []struct {
		folder, arch  string
		follow, named int // no fewer
	}{
		{"x86", "X86", 113, 113},
		{"x86_64", "X86_64", 10, 10},
		{"ppc", "PPC", 144, 143},
		{"arm", "ARM", 22, 22},
		{"aarch64", "AArch64", 757, 757},
		{"riscv", "RISCV", 1813, 1813},
		{"mips", "MIPS", 0, 0},
		{"lkmm", "LKMM", 357, 357},
	} {
		convention := conventional(t, d.arch)
		quoted, follow, named := 0, 0, 0
		quotes(t, d.folder, func(test *litmus.Test, c Cycle) {
			quoted++
			want := strings.TrimPrefix(serial.ReplaceAllString(test.Name, ""), "C-")
			got := c.Name()
			switch {
			case !convention.MatchString(want):
				if got == want {
					t.Errorf("%s: %s follows the convention, but the test does not see it", d.folder, test.Name)
				}
			case got != want:
				follow++
				t.Logf("%s: %s is named %s: %s", d.folder, test.Name, got, c)
			default:
				follow++
				named++
			}
		})
		share := 100.0
		if follow > 0 {
			share = 100 * float64(named) / float64(follow)
		}
		t.Logf("%s: %d quote a cycle; of %d whose names follow the convention, %d are named so: %.1f %%", d.folder,
			quoted, follow, named, share)
		if follow < d.follow || named < d.named {
			t.Errorf("%s: want %d that follow the convention, and %d named so", d.folder, d.follow, d.named)
		}
	}
}

// conventional matches the names that follow the convention. It uses the words of the dialect, and none of Name's code.
func conventional(t *testing.T, arch string) *regexp.Regexp {
	t.Helper()
	words, ok := Vocabulary(arch)
	if !ok {
		t.Fatalf("%s has no vocabulary", arch)
	}
	ends := []string{words.Plain}
	for _, m := range words.Marks {
		ends = append(ends, m.Mark)
	}
	end := "(" + strings.ToLower(strings.Join(ends, "|")) + ")"
	kinds := map[string]bool{"po": true, "rfi": true, "fri": true, "wsi": true, "detr": true, "detw": true}
	for _, e := range words.Entries {
		if e.Edge.Name != "" {
			kinds[strings.ToLower(regexp.QuoteMeta(e.Edge.Name))] = true
		}
	}
	word := "((" + strings.Join(slices.Sorted(maps.Keys(kinds)), "|") + ")s?(" + end + end + ")?)"
	inside := `(\[(rf|fr|ws|` + word + `|` + end + end + `|-)*\](` + end + end + `)?|` + word + `)`
	thread := inside + "(-" + inside + ")*s?"
	var table []string
	for _, s := range shapes {
		table = append(table, regexp.QuoteMeta(s))
	}
	access := "(WW|RR|RW|WR|W|R)"
	shape := "(" + strings.Join(table, "|") + "|" + access + `(\+` + access + ")+)"
	scopes := []string{"other"}
	for _, e := range words.Entries {
		if e.Edge.Within != "" && !slices.Contains(scopes, e.Edge.Within) {
			scopes = append(scopes, e.Edge.Within)
		}
	}
	scope := "(" + strings.Join(scopes, "|") + ")"
	return regexp.MustCompile("^" + shape + `(\+` + thread + `)*(\+(Na|` + strings.Join(ends, "|") + `)+)?(\+` + scope +
		"(-" + scope + `)*)?$`)
}
