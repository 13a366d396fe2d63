// Package webtest serves the pages to tests in other packages: with suites, classes, lessons and courses, and with
// runners that are slow, hold questions back or give prepared answers. [NewHandler] makes the handler of all pages with
// a runner.
//
// Only tests import it. It may import what package web may, web itself, and the engines.
package webtest
