package web

import "context"

// sitePage is a page that every page leads to. Kind is that of the pages under it, see frame.
type sitePage struct{ Title, Path, Kind string }

// services are those that a server may be without.
type services struct{ suites, classes bool }

type serviceKey struct{}

func served(ctx context.Context) services {
	s, _ := ctx.Value(serviceKey{}).(services)
	return s
}

// sitePages are those that this server has.
func sitePages(ctx context.Context) []sitePage {
	out := []sitePage{
		{"Explorer", "/", "explorer"},
		{"Programs", "/verify", "verify"},
		{"Catalogue", "/catalogue", "catalogue"},
		{"Cycles", "/cycles", "cycles"},
		{"Learn", "/learn", "learn"},
	}
	has := served(ctx)
	if has.classes {
		out = append(out, sitePage{"Class", "/class", "class"})
	}
	if has.suites {
		out = append(out, sitePage{"Suites", "/suites", "suite-pages"})
	}
	return append(out, sitePage{"Help", "/glossary", "help"})
}
