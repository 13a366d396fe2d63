package static

import (
	"encoding/json"
	"net/http"
	"sync"
	"syscall/js"
)

// AssetTable returns the table of assets, which the site's page passes to the program (litmuscope/web/api/site/engine).
var AssetTable = sync.OnceValue(func() *Table {
	var t Table
	if err := json.Unmarshal([]byte(js.Global().Get("engine").Get("assets").String()), &t); err != nil {
		panic("BUG: the site's table of assets: " + err.Error())
	}
	return &t
})

// Handler returns missing, because this program contains no assets.
func Handler(missing http.HandlerFunc) http.Handler { return missing }
