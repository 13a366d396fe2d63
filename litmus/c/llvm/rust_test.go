package llvm

import (
	"strings"
	"testing"
)

func TestRustPathsHaveNoGenericArguments(t *testing.T) {
	for name, want := range map[string]string{
		"_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal":                  "std::rt::lang_start_internal",
		"_RNvMs0_NtNtNtCsjrHSEGnQ3l9_3std3sys6thread4unixNtB5_6Thread4join": "std::sys::thread::unix::Thread::join",

		"_RINvNtCsgEmfK2I1SDS_4core9panicking13assert_failedllECsjrHSEGnQ3l9_3std": "core::panicking::assert_failed",
		"_ZN4core9panicking5panic17h0123456789abcdefE":                             "core::panicking::panic",
		"_ZNSt6thread4joinEv": "",
		"main":                "",
	} {
		if got := rustPath(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestEveryRustReplacementExists(t *testing.T) {
	for path, what := range rustTable {
		switch what {
		case doNothing, doPanic, doRefuse, spurious:
			continue
		}
		if !strings.Contains(rustRuntime, "NEED_"+what+")") {
			t.Errorf("%s: rust.c has no %s", path, what)
		}
	}
}
