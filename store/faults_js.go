package store

import "errors"

// There is no SQLite in a browser, and no database: Open says so.
var errCorrupt = errors.New("the file is damaged")

func kindOf(error) kind { return other }
