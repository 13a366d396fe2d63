package ptx_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/ptx"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, ptx.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, ptx.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, ptx.Dialect{}) }

func TestWords(t *testing.T) { dialecttest.Words(t, ptx.Dialect{}) }
