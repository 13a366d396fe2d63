package vulkan_test

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/isa/vulkan"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, vulkan.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, vulkan.Dialect{}) }

func TestActions(t *testing.T) { dialecttest.Actions(t, vulkan.Dialect{}) }

func TestWords(t *testing.T) { dialecttest.Words(t, vulkan.Dialect{}) }
