package cmd

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/course"
)

// studentOf returns a browser in which a student has entered their code.
func studentOf(t *testing.T, site, code string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar, Timeout: time.Minute}
	page := posted(t, c, site+"course", http.StatusOK, "code", code)
	if !strings.Contains(page, "You are submitting as") {
		t.Fatalf("the code is not taken: %.2000s", page)
	}
	return c
}

// posted sends a form and returns the answer.
func posted(t *testing.T, c *http.Client, address string, status int, fields ...string) string {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	r, err := c.PostForm(address, form)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != status {
		t.Fatalf("%s: status %d, %v, want %d: %.2000s", address, r.StatusCode, err, status, body)
	}
	return string(body)
}

// Students of the example course hand in correct, wrong and unreadable texts for every exercise, and get the grades for
// them.
func TestCourseIsGraded(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "course")
	if err := course.WriteExample(folder, time.Date(2190, 1, 4, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, course.RosterFile))
	if err != nil {
		t.Fatal(err)
	}
	roster, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	held, _, err := course.ReadFolder(folder, glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	s := startServer(t, dir, "--course", folder, "--rate", "0")
	ada, edsger, leslie := studentOf(t, s.url, roster[1][1]), studentOf(t, s.url, strings.ToLower(roster[2][1])),
		studentOf(t, s.url, strings.ReplaceAll(roster[3][1], "-", " "))
	want := map[string][]string{"Ada": nil, "Edsger": nil, "Leslie": nil}
	for n, a := range held.Assignments() {
		half := 0 // what Edsger gets, who does the first exercise of each sheet
		for i, x := range a.Exercises {
			hand := func(c *http.Client, status int, text, says string) {
				t.Helper()
				page := posted(t, c, s.url+"course/"+a.Slug, status, "exercise", x.ID, "text", text)
				if !strings.Contains(page, says) || !strings.Contains(page, "Submitted on ") {
					t.Errorf("%s %s: want %q in %.3000s", a.Slug, x.ID, says, page)
				}
			}
			start := x.Test
			if x.Rules.Model {
				start = x.Model
			}
			hand(ada, http.StatusOK, x.Solution, "Done.")
			hand(edsger, http.StatusOK, start, "Not yet.")
			if i == 0 {
				hand(edsger, http.StatusOK, x.Solution, "Done.")
				half = a.Points[i]
			}
			hand(leslie, http.StatusUnprocessableEntity, "what is this", "problem")
		}
		want["Ada"] = append(want["Ada"], strconv.Itoa(a.Of()))
		want["Edsger"] = append(want["Edsger"], strconv.Itoa(half))
		want["Leslie"] = append(want["Leslie"], "0")
		if n == 0 {
			page, err := ada.Get(s.url + "course")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(page.Body)
			page.Body.Close()
			if err != nil || !strings.Contains(string(body), "You have <strong>4 of 50 points</strong>") {
				t.Errorf("%v: Ada's page does not say that she has 4 points: %.3000s", err, body)
			}
		}
	}
	runCourse := func(args ...string) [][]string {
		t.Helper()
		out, err := exec.Command(s.Path,
			append([]string{"course"}, append(args, "--db", filepath.Join(dir, "l.db"))...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return rows
	}
	grades := runCourse("grades", folder)
	if head := strings.Join(grades[0],
		","); head !=
		"name,email,outcomes,fences,messages,release-acquire,shapes,power,models,c11,points,of,late,unjudged" {
		t.Errorf("the columns are %s", head)
	}
	sums := map[string]string{"Ada": "50", "Edsger": "22", "Leslie": "0"}
	for _, row := range grades[1:] {
		name := row[0]
		if wanted := slices.Concat([]string{name, strings.ToLower(name) + "@example.org"}, want[name],
			[]string{sums[name], "50", "0", "0"}); !slices.Equal(row, wanted) {
			t.Errorf("got %v, want %v", row, wanted)
		}
	}
	each := runCourse("grades", "--each", folder)
	if len(each) != 1+16+24+16 || each[0][len(each[0])-1] != "text" {
		t.Errorf("%d lines of what was handed in: %v", len(each), each[0])
	}
	if got := runCourse("forget", folder, "Edsger"); got[0][0] != "forgot 24 submissions" {
		t.Errorf("got %v", got)
	}
	if row := runCourse("grades", folder)[2]; row[0] != "Edsger" || row[len(row)-4] != "0" {
		t.Errorf("Edsger was forgotten, and has %v", row)
	}
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, s.log)
	}
	for _, row := range roster[1:] {
		for _, secret := range []string{row[1], course.PlainCode(row[1]), row[0]} {
			if strings.Contains(s.log.String(), secret) {
				t.Errorf("the log has %q", secret)
			}
		}
	}
}
