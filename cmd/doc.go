// Package cmd implements litmuscope's command line. [Main] runs it. Each command has one file (run.go, serve.go,
// verify.go …); flags.go has the flags that several commands share, and wiring.go connects the packages of a server.
//
// Commands read flags and files, call the packages that do the work, and print what these return; they have no logic of
// their own. Exit status 1 means that some test did not run or agree, 2 an error.
//
// Tests in this package also check the documentation (manual_test.go) and which package imports which
// (imports_test.go).
//
// It may import every package except those for tests.
package cmd
