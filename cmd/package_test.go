package cmd

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var debianPackage = flag.String("package", "",
	"the folder of a Debian package that TestDebianPackage looks at (task release)")

// A Debian package has units that start the program that it installs, a copyright file, and a list of parts with their
// licences.
func TestDebianPackage(t *testing.T) {
	if *debianPackage == "" {
		t.Skip("takes -package FOLDER (task release)")
	}
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(*debianPackage, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, unit := range []string{"litmuscope.service", "litmuscope-worker.service"} {
		path := "usr/lib/systemd/system/" + unit
		text := read(path)
		m := regexp.MustCompile(`(?m)^ExecStart=(/\S+)`).FindStringSubmatch(text)
		if m == nil || !strings.Contains(text, "WantedBy=multi-user.target") {
			t.Fatalf("%s: %s", unit, text)
		}
		if info, err := os.Stat(filepath.Join(*debianPackage, m[1])); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s starts %s, which is not in the package: %v", unit, m[1], err)
		}
	}
	for _, script := range []string{"DEBIAN/postinst", "DEBIAN/prerm"} {
		if out, err := exec.CommandContext(t.Context(), "sh", "-n",
			filepath.Join(*debianPackage, script)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", script, err, out)
		}
		if info, err := os.Stat(filepath.Join(*debianPackage, script)); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run: %v", script, err)
		}
	}
	copyright := read("usr/share/doc/litmuscope/copyright")
	for _, want := range []string{
		"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n",
		"\nFiles: *\n", "github.com/nats-io/nats.go v", "SIL OPEN FONT LICENSE",
	} {
		if !strings.Contains(copyright, want) {
			t.Errorf("the copyright file has no %q", want)
		}
	}
	var parts struct {
		Components []struct {
			Name     string
			Evidence struct{ Licenses []any }
			Licenses []any
		}
	}
	if err := json.Unmarshal([]byte(read("usr/share/doc/litmuscope/litmuscope.cdx.json")), &parts); err != nil {
		t.Fatal(err)
	}
	licensed := 0
	for _, c := range parts.Components {
		if len(c.Licenses)+len(c.Evidence.Licenses) > 0 {
			licensed++
		}
	}
	if len(parts.Components) < 30 || licensed < len(parts.Components)*3/4 {
		t.Errorf("of %d parts %d have a licence", len(parts.Components), licensed)
	}
}
