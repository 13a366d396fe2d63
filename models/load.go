package models

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models/analysis"
	"litmuscope/models/cat"
	"litmuscope/models/library"
)

// ParseWith parses a model in the cat language. words has the tags of the events. files are the files that the model
// may include, by the name that it includes them under; they take precedence over the library's. Errors in all these
// files are a [litmus.ErrorList].
func ParseWith(name, text string, files map[string]string, words ir.Vocabulary) (*Model, error) {
	return parse(name, text, files, words, false)
}

// parse is ParseWith. With mixed, the model is for tests whose accesses consist of pieces. A bell file beside the model
// is included first. The model's keys and its variant for mixed accesses are computed on demand.
func parse(name, text string, files map[string]string, words ir.Vocabulary, mixed bool) (*Model, error) {
	f, unread := cat.Parse(name, text)
	if bell := bellOf(name); files[bell] != "" {
		f.Decls = slices.Insert(f.Decls, 0,
			cat.Decl(cat.Include{Pos: litmus.Pos{File: name, Line: 1, Col: 1}, File: bell}))
	}
	load := func(name string) (string, error) {
		if text, ok := files[name]; ok && !builtInFiles[name] {
			return text, nil
		}
		return library.Text(name)
	}
	resolved, err := cat.Resolve(f, load, library.Prelude, texts(words.Tags), mixed)
	if errs := append(litmus.Errors(unread), litmus.Errors(err)...).Sorted(); len(errs) >= cat.MaxErrors {
		return nil, append(errs, litmus.Errorf(litmus.Pos{File: name},
			"stopped after %d errors", len(errs)))
	} else if len(errs) > 0 {
		return nil, errs
	}
	said := resolved.Axioms
	dropImplied(resolved)
	m := newModel(name, text, f.Title, resolved, words)
	m.said = said
	m.added = addedCoherence(f, resolved)
	files = maps.Clone(files) // the caller may change it
	m.Absent = slices.DeleteFunc(m.Absent, func(a cat.Absent) bool {
		_, theirs := files[a.Pos.File]
		return a.Pos.File != name && (!theirs || builtInFiles[a.Pos.File])
	})
	m.key = sync.OnceValue(func() string { return TextKey(text, files) })
	m.mixed = sync.OnceValues(func() (*Model, error) {
		mixed, err := parse(name, text, files, words, true)
		switch {
		case err != nil:
			return nil, err
		case !analysis.SpeaksOfPieces(mixed.Model):
			return nil,
				errors.New("does not define accesses of mixed size, because it does not use sm: choose another model")
		}
		mixed.key = m.key
		return mixed, nil
	})
	return m, nil
}

// bellOf returns the name of the bell file beside a model, which has the model's name, as for the Linux kernel's model;
// "" for a model that is in no file.
func bellOf(name string) string {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	if base, ok := strings.CutSuffix(base, ".cat"); ok && base != "" {
		return base + ".bell"
	}
	return ""
}

func texts(tags ir.Tags) []string {
	var names []string
	for _, t := range tags {
		names = append(names, string(t))
	}
	return names
}

// builtInFiles lists the files for which the library's text is used even if a model brings another: files that say, in
// terms of one tool's implementation, what an execution here has by itself. They generate coherence orders and orders
// of locks, find dependencies through registers, and read page tables.
var builtInFiles = map[string]bool{
	"stdlib.cat": true,
	"cos.cat":    true, "cos-opt.cat": true, "cos-no-opt.cat": true, "cos-ok-opt.cat": true, "cosllh.cat": true,
	"cross.cat": true,
	"lock.cat":  true, "c11_cos.cat": true, "c11_los.cat": true,
	"aarch64deps.cat": true, "aarch64loc.cat": true, "aarch64bbm.cat": true, "aarch64memattrs.cat": true,
}

// coherenceOfCo names the axiom of cos.cat.
const coherenceOfCo = "coherence-of-co"

// dropImplied removes the axiom of cos.cat from a model whose other axioms imply it.
func dropImplied(m *cat.Model) {
	rest := *m
	rest.Axioms = slices.DeleteFunc(slices.Clone(m.Axioms), func(a cat.Axiom) bool { return a.Name == coherenceOfCo })
	if len(rest.Axioms) > 0 && analysis.Coherent(&rest) {
		m.Axioms = rest.Axioms
	}
}

// addedCoherence returns a remark if a file that generates coherence orders adds an axiom that the model's own text
// does not state: herd's file of that name only generates orders.
func addedCoherence(f *cat.File, m *cat.Model) []litmus.Remark {
	at := slices.IndexFunc(m.Axioms, func(a cat.Axiom) bool { return a.Name == coherenceOfCo })
	if at < 0 {
		return nil
	}
	pos, file := litmus.Pos{File: m.Axioms[at].Source.File, Line: m.Axioms[at].Source.From, Col: 1},
		m.Axioms[at].Source.File
	for _, d := range f.Decls {
		if inc, ok := d.(cat.Include); ok && builtInFiles[inc.File] && strings.HasPrefix(inc.File, "cos") {
			pos, file = inc.Pos, inc.File
			break
		}
	}
	return []litmus.Remark{litmus.Remarkf(pos, "%s adds coherence (the axiom %s), which the model does not state: "+
		"choose MODEL~%s to run the model without it", file, coherenceOfCo, coherenceOfCo)}
}

// Includes collects the files that a model includes, directly and indirectly, as far as read finds them, and the bell
// file of the model's own name. read must return fs.ErrNotExist for a file that it does not have: the file may be the
// library's, which may include others again. Includes never asks read for a name that leads out of the folder. From
// files with errors it collects the includes that it can see, and returns the errors as a [litmus.ErrorList].
func Includes(name, text string, read func(name string) (string, error)) (map[string]string, error) {
	found := map[string]string{}
	seen := map[string]bool{}
	size := 0
	var broken litmus.ErrorList
	var visit func(name, text string) error
	visit = func(name, text string) error {
		f, err := cat.Parse(name, text)
		broken = append(broken, litmus.Errors(err)...)
		for _, included := range f.Includes() {
			if seen[included] {
				continue
			}
			seen[included] = true
			if len(seen) > cat.MaxFiles {
				return fmt.Errorf("%s: the model includes more than %d files", name, cat.MaxFiles)
			}
			find := read
			if builtInFiles[included] {
				find = library.Text
			}
			text, err := find(included)
			if errors.Is(err, fs.ErrNotExist) {
				if text, err = library.Text(included); err != nil {
					continue
				}
			} else if err != nil {
				return fmt.Errorf("include %q: %w", included, err)
			} else if !builtInFiles[included] {
				found[included] = text
			}
			if size += len(text); size > cat.MaxText {
				return fmt.Errorf("%s: the model includes more than %d KiB", name, cat.MaxText>>10)
			}
			if err := visit(included, text); err != nil {
				return err
			}
		}
		return nil
	}
	if bell := bellOf(name); bell != "" {
		text, err := read(bell)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s beside the model: %w", bell, err)
		}
		if err == nil && text != "" {
			found[bell], seen[bell], size = text, true, len(text)
			if err := visit(bell, text); err != nil {
				return nil, err
			}
		}
	}
	if err := visit(name, text); err != nil {
		return nil, err
	}
	return found, broken.Err()
}
