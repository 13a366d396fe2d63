package compilers

import (
	"fmt"
	"net/http"

	"litmuscope/litmus/toolchain/sandbox"
	"litmuscope/web/server"
)

// Limits lists the limits of compilers.
var Limits = []server.Limit{
	{
		Name: "compiler-time", What: "time for a compilation by a compiler of the server",
		Value: sandbox.DefaultLimits.Time, Answer: http.StatusUnprocessableEntity,
		Beyond: fmt.Sprintf("for a program in C++ or Rust: %v", ProgramLimits.Time),
	},
	{
		Name: "compiler-memory", What: "memory of the compiler's processes together, in MiB",
		Value: server.MiB(sandbox.DefaultLimits.Memory), Answer: http.StatusUnprocessableEntity,
		Beyond: fmt.Sprintf("for a program in C++ or Rust: %v", server.MiB(ProgramLimits.Memory)),
	},
	{
		Name: "compiler-processes", What: "processes of a compilation at once",
		Value: sandbox.DefaultLimits.Processes, Answer: http.StatusUnprocessableEntity,
		Beyond: fmt.Sprintf("for a program in C++ or Rust: %d", ProgramLimits.Processes),
	},
	{
		Name: "compiler-files", What: "size of all files that a compilation writes",
		Value: server.Bytes(sandbox.DefaultLimits.Folder), Answer: http.StatusUnprocessableEntity,
		Beyond: fmt.Sprintf("one file: %s; for a program in C++ or Rust: %s, and %s",
			server.Bytes(sandbox.DefaultLimits.File), server.Bytes(ProgramLimits.Folder),
			server.Bytes(ProgramLimits.File)),
	},
}
