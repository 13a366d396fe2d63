package arm_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/arm"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, arm.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, arm.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, arm.Dialect{}) }
