// Package firefox contains only tests: a walk through every page in a real Firefox, over WebDriver BiDi. Package
// webtest serves the pages to them. The thorough tests of pages run in Chromium (package browser); these check that
// nothing on a page depends on it.
package firefox
