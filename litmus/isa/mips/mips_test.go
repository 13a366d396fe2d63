package mips_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/mips"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, mips.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, mips.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, mips.Dialect{}) }
