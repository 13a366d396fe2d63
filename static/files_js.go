package static

import (
	"encoding/json"
	"net/http"
	"sync"
	"syscall/js"
)

// Told is what the site has told the program (litmuscope/web/api/site/engine).
var Told = sync.OnceValue(func() *Table {
	var t Table
	if err := json.Unmarshal([]byte(js.Global().Get("engine").Get("assets").String()), &t); err != nil {
		panic("BUG: what the site says of its assets: " + err.Error())
	}
	return &t
})

// Handler has none of them.
func Handler(missing http.HandlerFunc) http.Handler { return missing }
