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

// ParseWith reads a model in the cat language that speaks of the tags of a vocabulary and may
// include the files given, by the names that it includes them under, before the library's. What
// is wrong, in all these files, is a [litmus.ErrorList].
func ParseWith(name, text string, files map[string]string, words ir.Vocabulary) (*Model, error) {
	return parse(name, text, files, words, false)
}

func parse(name, text string, files map[string]string, words ir.Vocabulary, mixed bool) (*Model, error) {
	f, unread := cat.Parse(name, text)
	if bell := bellOf(name); files[bell] != "" {
		f.Decls = slices.Insert(f.Decls, 0,
			cat.Decl(cat.Include{Pos: litmus.Pos{File: name, Line: 1, Col: 1}, File: bell}))
	}
	load := func(name string) (string, error) {
		if text, ok := files[name]; ok && !ours[name] {
			return text, nil
		}
		return library.Text(name)
	}
	resolved, err := cat.Resolve(f, load, library.Prelude, texts(words.Tags), mixed)
	if errs := append(litmus.Errors(unread), litmus.Errors(err)...).Sorted(); len(errs) >= cat.MaxErrors {
		return nil, append(errs, litmus.Errorf(litmus.Pos{File: name},
			"only the first %d errors are shown", len(errs)))
	} else if len(errs) > 0 {
		return nil, errs
	}
	said := resolved.Axioms
	dropImplied(resolved)
	m := newModel(name, text, f.Title, resolved, words)
	m.said = said
	m.added = addedCoherence(f, resolved)
	files = maps.Clone(files) // its owner may change it
	m.Absent = slices.DeleteFunc(m.Absent, func(a cat.Absent) bool {
		_, theirs := files[a.Pos.File]
		return a.Pos.File != name && (!theirs || ours[a.Pos.File])
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

// bellOf names the file of tags that stands beside a model and goes by its name, as the Linux
// kernel's does; "" for a model that is in no file.
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

// ours are files of which the library's own are taken even if a model has others: those
// that say, in terms of one tool's workings, what an execution is here by itself. They
// generate coherence orders and orders of locks, find dependencies through registers, and
// look into page tables.
var ours = map[string]bool{
	"stdlib.cat": true,
	"cos.cat":    true, "cos-opt.cat": true, "cos-no-opt.cat": true, "cos-ok-opt.cat": true, "cosllh.cat": true,
	"cross.cat": true,
	"lock.cat":  true, "c11_cos.cat": true, "c11_los.cat": true,
	"aarch64deps.cat": true, "aarch64loc.cat": true, "aarch64bbm.cat": true, "aarch64memattrs.cat": true,
}

// coherenceOfCo names the axiom of cos.cat.
const coherenceOfCo = "coherence-of-co"

// dropImplied drops the axiom of cos.cat from a model that says as much itself.
func dropImplied(m *cat.Model) {
	rest := *m
	rest.Axioms = slices.DeleteFunc(slices.Clone(m.Axioms), func(a cat.Axiom) bool { return a.Name == coherenceOfCo })
	if len(rest.Axioms) > 0 && analysis.Coherent(&rest) {
		m.Axioms = rest.Axioms
	}
}

// addedCoherence is a remark where a file that generates coherence orders gives a model an axiom that its own text does
// not state: herd's file of that name generates orders alone.
func addedCoherence(f *cat.File, m *cat.Model) []litmus.Remark {
	at := slices.IndexFunc(m.Axioms, func(a cat.Axiom) bool { return a.Name == coherenceOfCo })
	if at < 0 {
		return nil
	}
	pos, file := litmus.Pos{File: m.Axioms[at].Source.File, Line: m.Axioms[at].Source.From, Col: 1},
		m.Axioms[at].Source.File
	for _, d := range f.Decls {
		if inc, ok := d.(cat.Include); ok && ours[inc.File] && strings.HasPrefix(inc.File, "cos") {
			pos, file = inc.Pos, inc.File
			break
		}
	}
	return []litmus.Remark{litmus.Remarkf(pos, "%s adds coherence (the axiom %s), which the model does not state: "+
		"choose MODEL~%s to run the model without it", file, coherenceOfCo, coherenceOfCo)}
}

// Includes collects the files that a model includes, and those that these include, as
// far as read finds them, and the bell file of the model's own name. It is to report the others as fs.ErrNotExist: they
// are the library's to know, whose own includes may be among the others. No name that it is asked for leads out of the
// folder that it reads. Of files that are broken, it collects what they can be seen to include, and gives the errors as
// a [litmus.ErrorList].
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
			if ours[included] {
				find = library.Text
			}
			text, err := find(included)
			if errors.Is(err, fs.ErrNotExist) {
				if text, err = library.Text(included); err != nil {
					continue
				}
			} else if err != nil {
				return fmt.Errorf("include %q: %w", included, err)
			} else if !ours[included] {
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
