package wasm

import "encoding/binary"

// Types of values (section 5.3.1 of the specification).
const (
	typeI32 = 0x7f
	typeI64 = 0x7e
)

// module encodes a module with one exported function, "run", and the shared memory "env" "memory" as its import. The
// function has parameters of the given types, no result, and locals of 32 and 64 bits after the parameters.
func module(params []byte, locals32, locals64 int, body []byte) []byte {
	b := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content ...byte) {
		b = binary.AppendUvarint(append(b, id), uint64(len(content)))
		b = append(b, content...)
	}
	signature := append([]byte{1, 0x60, byte(len(params))}, params...)
	section(1, append(signature, 0)...)
	imported := append([]byte{1, 3}, "env\x06memory"...)
	imported = append(imported, 2, 3, 1) // a memory, shared and with a maximum, of one page or more
	section(2, binary.AppendUvarint(imported, MostPages)...)
	section(3, 1, 0)
	section(7, append([]byte{1, 3}, "run\x00\x00"...)...)
	function := []byte{2}
	function = append(binary.AppendUvarint(function, uint64(locals32)), typeI32)
	function = append(binary.AppendUvarint(function, uint64(locals64)), typeI64)
	function = append(append(function, body...), opcodes["end"]...)
	section(10, append(binary.AppendUvarint([]byte{1}, uint64(len(function))), function...)...)
	return b
}
