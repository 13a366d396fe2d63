package ppc_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/ppc"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, ppc.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, ppc.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, ppc.Dialect{}) }
