package textpage

import (
	"fmt"
	"io"
	"net/http"
)

// postExport gives the drawing that the form asks for as a file, of the kind in field "format", and in
// "show" and "hide" the relations that were switched on and off.
func (b *Page[Q]) postExport(w http.ResponseWriter, r *http.Request) {
	if !b.Server.ParseForm(w, r) {
		return
	}
	text, format, name, err := b.Pictures.Export(r.Context(), r.PostForm, b.Picture)
	if err != nil {
		b.Server.FailOf(w, r, err)
		return
	}
	w.Header().Set("Content-Type", format.Media+"; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+"."+format.Ext))
	if _, err := io.WriteString(w, text); err != nil {
		b.Server.Log.DebugContext(r.Context(), "export", "error", err)
	}
}

// postPicture shows what the form asks for.
func (b *Page[Q]) postPicture(w http.ResponseWriter, r *http.Request) {
	if !b.Server.ParseForm(w, r) {
		return
	}
	v, err := b.Picture(r.Context(), r.PostForm)
	if err != nil {
		b.Server.FailOf(w, r, err)
		return
	}
	b.Server.Render(w, r, http.StatusOK, v.Part())
}
