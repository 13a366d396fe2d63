package llvm

import "testing"

func TestShortArguments(t *testing.T) {
	for name, want := range map[string]string{
		"vtable for std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::$_0> > >": "vtable for " +
			"std::thread::_State_impl<…>",
		"std::vector<int>::push_back":                "std::vector<int>::push_back",
		"f<std::pair<int, std::string>, a>::g<b>::h": "f<…>::g<b>::h",
		"a::operator<": "a::operator<",
		"std::operator<< <std::char_traits<char> >":            "std::operator<< <std::char_traits<char> >",
		"box<std::shared_ptr<node> const*>::operator->":        "box<…>::operator->",
		"<alloc::sync::Arc<T> as core::ops::drop::Drop>::drop": "<alloc::sync::Arc<T> as core::ops::drop::Drop>::drop",
	} {
		if got := shortArguments(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	l := &lines{shown: map[string][]string{}}
	const state = "vtable for std::thread::_State_impl<…>"
	for _, c := range []struct{ lambda, want string }{{"0", state}, {"1", state + "#2"}, {"0", state}} {
		name := "_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJZ4mainE3$_" + c.lambda + "EEEEEE"
		if got := l.demangle(name); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
