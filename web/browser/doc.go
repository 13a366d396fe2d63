// Package browser has tests alone: a visitor's ways through the pages in a real Chromium.
package browser
