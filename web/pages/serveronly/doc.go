// Package serveronly serves the pages of a static site that stand for what only a server has: [Class] and [Suites].
// Each says so and links to the same page of a server whose address the visitor enters.
//
// It imports web/server: no other page.
package serveronly
