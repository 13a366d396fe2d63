package gpuasm

import (
	"strconv"

	"litmuscope/litmus/lower"
)

// Assembler adds to an assembler what PTX and Vulkan's tests have in common: registers, arithmetic and branches.
func Assembler(a *lower.Assembler) *lower.Assembler {
	a.Absolute, a.Registers = true, 256
	a.Shown, a.Pointer = lower.Counted("r", 0), lower.Counted("r", 0)
	a.Set = func(w *lower.Writer, r, value int) { w.Emit("mov r%d, %d", r, value) }
	a.Zero = func(w *lower.Writer, dst, src int) { w.Emit("xor r%d, r%d, r%[2]d", dst, src) }
	a.Add = func(w *lower.Writer, r, value int) { w.Emit("add r%d, r%[1]d, %d", r, value) }
	a.Branch = func(w *lower.Writer, r int, label string) { w.Emit("bne r%d, 0, %s", r, label) }
	return a
}

// Operand writes a value to store: the register, or the number if the register is negative.
func Operand(register, value int) string {
	if register < 0 {
		return strconv.Itoa(value)
	}
	return "r" + strconv.Itoa(register)
}
