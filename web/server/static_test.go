package server

import "testing"

func TestRebase(t *testing.T) {
	for _, c := range []struct{ in, base, want string }{
		{`<a href="/x?a=1&amp;b">x</a>`, "/course/", `<a href="/course/x?a=1&amp;b">x</a>`},
		{`<a href="/">x</a>`, "../", `<a href="../">x</a>`},
		{`<a href="/x">x</a>`, "/", `<a href="/x">x</a>`},
		{`<a href="//elsewhere/x">`, "/course/", `<a href="//elsewhere/x">`},
		{`<a href="#x">`, "/course/", `<a href="#x">`},
		{
			`<button formaction="/x" data-list="/y" data-take="/z">`, "/c/",
			`<button formaction="/c/x" data-list="/c/y" data-take="/z">`,
		},
		{`<svg viewBox="0 0 1 1"><linearGradient/></svg>`, "/c/", `<svg viewBox="0 0 1 1"><linearGradient/></svg>`},
		{`<script>if (a<b) "/x"</script><p>/x`, "/c/", `<script>if (a<b) "/x"</script><p>/x`},
	} {
		if got := string(Rebase([]byte(c.in), c.base)); got != c.want {
			t.Errorf("%s below %s: %s, want %s", c.in, c.base, got, c.want)
		}
	}
}
