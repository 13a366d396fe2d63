package models

import (
	"errors"
	"fmt"
	"sync"
)

// systems are the files with what models say of a system's side, by model: memory tags, exceptions, modified
// instructions. A model's own file is for tests without them, which should not pay for what they do not use.
var systems = map[string]func() *Model{
	"aarch64": sync.OnceValue(func() *Model { return mustParse("aarch64system") }),
}

// System returns the model for tests of a system's side. It fails for a model that does not define one. Variants leave
// out axioms of the same names.
func (m *Model) System() (*Model, error) {
	base, without := Split(m.Name)
	find := systems[base]
	builtin := builtins[base]
	if find == nil || builtin == nil {
		return nil, fmt.Errorf("%s does not define memory tags, exceptions, modified instructions and page tables: "+
			"choose the model aarch64", Label(m.Name))
	}
	plain, err := builtin().Less(without)
	if err != nil {
		return nil, err
	}
	if plain.Key() != m.Key() {
		return nil, errors.New("a model of your own does not support tests with memory tags, exceptions, modified " +
			"instructions or page tables: choose the model aarch64")
	}
	whole, err := find().Less(without)
	if err != nil {
		return nil, err
	}
	named := *whole
	named.Name = m.Name
	return &named, nil
}
