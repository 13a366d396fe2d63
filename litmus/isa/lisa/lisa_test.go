package lisa_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/lisa"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, lisa.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, lisa.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, lisa.Dialect{}) }

func TestWords(t *testing.T) { dialecttest.Words(t, lisa.Dialect{}) }
