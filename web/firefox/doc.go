// Package firefox has tests alone: a walk through every page in a real Firefox, over WebDriver BiDi.
package firefox
