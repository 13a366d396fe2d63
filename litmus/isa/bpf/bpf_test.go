package bpf_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/bpf"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, bpf.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, bpf.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, bpf.Dialect{}) }

func TestWords(t *testing.T) { dialecttest.Words(t, bpf.Dialect{}) }
