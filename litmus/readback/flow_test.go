package readback_test

import (
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/readback"
)

// lines reads a listing of one function, P1 being empty, and returns P0's instructions.
func lines(t *testing.T, arch, body string) string {
	t.Helper()
	test, err := litmus.Parse("test.litmus", messagePassing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readback.Find(arch)
	if err != nil {
		t.Fatal(err)
	}
	end := map[string]string{"mips": ".set noreorder; jr $31; nop", "arm": "bx lr", "ppc": "blr", "riscv": "ret"}[arch]
	made, err := m.Read(p, "t.s", "P0:\n"+strings.ReplaceAll(body, "; ", "\n")+"\n"+end+"\nP1:\n"+end+"\n")
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, l := range made.Threads[0].Lines {
		out = append(out, l.Text)
	}
	return strings.Join(out, "; ")
}

// agree says whether instructions are those wanted, or an error has the words wanted.
func agree(got, want string) bool {
	return got == want || strings.HasPrefix(got, "t.s:") && strings.Contains(got, want)
}

// An instruction in a delay slot runs before its branch in the test, and with a copy of what the branch reads if it
// changes that. A branch-likely runs it only if it is taken. After .set reorder, there is no delay slot.
func TestDelaySlots(t *testing.T) {
	const reorder = ".set noreorder; "
	for _, c := range []struct{ body, want string }{
		{reorder + "beq $2,$3,.L1; li $4,1; li $5,1; .L1:; li $6,1", "li $4,1; beq $2,$3,L1; li $5,1; L1:; li $6,1"},
		{reorder + "bnez $2,.L1; li $2,1; li $5,1; .L1:", "move $24,$2; li $2,1; bnez $24,L1; li $5,1; L1:"},
		{reorder + "b .L1; li $2,1; li $5,1; .L1:", "li $2,1; b L1; L1:"},
		{reorder + "jr $31; li $2,1; .L1:", "li $2,1"},
		{reorder + "beql $2,$3,.L1; li $4,1; li $5,1; .L1:", "bne $2,$3,LOVER3; li $4,1; b L1; LOVER3:; li $5,1; L1:"},
		{reorder + ".set reorder; beq $2,$3,.L1; li $4,1; .L1:", "beq $2,$3,L1; li $4,1; L1:"},
		{
			reorder + "beq $2,$3,.L1; .L1:; li $4,1",
			`t.s:3:1: cannot read "beq $2,$3,.L1" back: the instruction in its delay slot is unknown: line 4 is .L1:`,
		},
		{reorder + "b .L1; b .L1; .L1:", `t.s:3:1: cannot read "b .L1" back: a branch is in its delay slot, in line 4`},
	} {
		if got := lines(t, "mips", c.body); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.body, got, c.want)
		}
	}
}

// A conditional computation of an address leaves no trace in the test: the conditional access has the address from
// elsewhere, so that it does not depend on more than its condition. Nothing else may use the address, nor an access
// after the flags have changed.
func TestConditionalAddresses(t *testing.T) {
	const load = "cmp r0, #0; movwne r1, #:lower16:x; movtne r1, #:upper16:x; "
	for _, c := range []struct{ body, want string }{
		{load + "ldrne r2, [r1]", "CMP R0,#0; LDRNE R2,[R10]"},
		{load + "strne r2, [r1]", "CMP R0,#0; STRNE R2,[R10]"},
		{load + "ldr r2, [r1]", "R1 has a part of an address here"},
		{load + "ldreq r2, [r1]", "R1 has a part of an address here"},
		{load + "cmp r2, #1; ldrne r2, [r1]", "R1 has a part of an address here"},
		{
			"ldr r1, .L1; .LPIC0:; add r1, pc; ldr r2, [r1]; b .L2; .L1:; .word x-(.LPIC0+4); .L2:",
			"MOV R1,R10; LDR R2,[R1]; B L2; L2:",
		},
		{"ldr r1, .L1; add r1, pc; b .L2; .L1:; .word x-(.LPIC0+4); .L2:", "which is not here"},
		{
			"add sp, sp, #-8; adds r3, sp, #4; beq .L1; .L1:",
			"the condition flags come from arithmetic on the stack pointer",
		},
		{"ldrex r0, [r1]; clrex; strex r0, r2, [r1]", "no exclusive load certainly comes before it"},
		{"push {r4, r5}; ldr r4, [sp, #4]; pop {r4, r5}", "MOV R10,R4; MOV R9,R5; MOV R4,R9; MOV R4,R10; MOV R5,R9"},
	} {
		if got := lines(t, "arm", c.body); !agree(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.body, got, c.want)
		}
	}
}

// What is known about an address stays known where it is spilled: a stack pointer in the chain of frames, and a part of
// an address.
func TestSpilledAddresses(t *testing.T) {
	for _, c := range []struct{ arch, body, want string }{
		{"ppc", "stdu 1,-32(1); stw 3,8(1); ld 1,0(1); lwz 3,-24(1)", "mr r29,r3; clrldi r3,r29,32"},
		{
			"ppc", "addis 9,2,x@toc@ha; std 9,-8(1); ld 10,-8(1); lwz 3,x@toc@l(10)",
			"mr r9,r30; mr r29,r9; mr r10,r29; lwz r3,0(r10)",
		},
		{
			"riscv", "lui a0,%hi(x); sd a0,-8(sp); ld a1,-8(sp); addi a1,a1,%lo(x+4); lw a2,0(a1)",
			"mv a0,t6; mv t5,a0; mv a1,t5; addi a1,a1,4; lw a2,0(a1)",
		},
		{"riscv", "lui a0,%hi(x); sw a0,-8(sp)", "a0 has a part of an address here"},
		{"riscv", "sw a0,-8(sp); lhu a1,-8(sp)", "sw a0,-8(sp); lhu a1,-8(sp)"},
	} {
		if got := lines(t, c.arch, c.body); !agree(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.body, got, c.want)
		}
	}
}
