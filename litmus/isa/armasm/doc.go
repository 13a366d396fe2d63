// Package armasm parses operands and computes condition flags for both of Arm's dialects, arm and aarch64. [Instr] is
// an instruction with its operands, [Condition] a condition on flags. A thread has its flags in one register of
// [FlagBits] bits, N, Z, C and V from the highest down, which dependencies see as one register. [FlagsOf] and
// [FlagsWithCarry] compute them. See the Arm Architecture Reference Manual for A-profile (DDI 0487), sections C1.2.4
// and F1.2.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package armasm
