// Words prints every text of the program that a person may read, by file: texts and labels of templates, strings with
// words in Go and in the page's scripts, and the glossary. TestWords compares the list with words.txt, so that a change
// of wording shows as a difference of that file.
//
//	go run ./static/words             # the list
//	go run ./static/words -update     # writes static/words/words.txt
//	go run ./static/words -figures    # how long sentences are, and how many are passive
//
// A Go string counts if it has two words or more and is not code. Words leaves out strings of tests, struct tags, SQL
// and patterns. The sign … stands for parts that the program inserts at run time.
//
// It imports nothing of litmuscope.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// written is the path of the list, relative to the root of the repository.
const written = "static/words/words.txt"

func main() {
	update := flag.Bool("update", false, "write "+written)
	measure := flag.Bool("figures", false, "print how long sentences are, and how many are passive")
	flag.Parse()
	if *measure {
		table, err := figures(".")
		if err != nil {
			fmt.Fprintln(os.Stderr, "words:", err)
			os.Exit(1)
		}
		fmt.Print(table)
		return
	}
	texts, err := collect(".")
	if err == nil && *update {
		err = os.WriteFile(written, []byte(list(texts)), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
	if !*update {
		fmt.Print(list(texts))
	}
}

// text is a text that a person may read.
type text struct {
	path  string
	line  int
	words string
}

// list formats texts by file. It leaves out line numbers, so that only a change of wording changes the list.
func list(texts []text) string {
	var b strings.Builder
	path := ""
	for _, t := range texts {
		if t.path != path {
			path = t.path
			fmt.Fprintf(&b, "\n== %s\n", path)
		}
		for i, line := range strings.Split(t.words, "\n") {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if i == 0 {
				b.WriteString("- ")
			} else {
				b.WriteString("  ")
			}
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}
