package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// limitInfo is a limit as the REST interface tells of it.
type limitInfo struct {
	Name, What   string
	Value        float64
	Unit         string
	Answer       int
	Beyond, Flag string
}

// Who uses a server can ask it for its limits, which are those that it was given.
func TestLimitsAreTold(t *testing.T) {
	h := configured(t, func(c *web.Config) {
		c.Limits.Options.Timeout, c.Limits.Options.Memory, c.Limits.Connections = 3*time.Second, 7, 99
	})
	var told []limitInfo
	if err := json.Unmarshal(get(h, "/api/v1/limits").Body.Bytes(), &told); err != nil {
		t.Fatal(err)
	}
	names := map[string]limitInfo{}
	for _, l := range told {
		if _, twice := names[l.Name]; twice || l.What == "" || l.Value <= 0 && !strings.HasSuffix(l.Name, "memory") {
			// which serve finds out
			t.Errorf("%+v", l)
		}
		names[l.Name] = l
	}
	for _, want := range []limitInfo{
		{Name: "max-timeout", Value: 3, Unit: "seconds", Flag: "--max-timeout"},
		{Name: "max-memory", Value: 7 << 20, Unit: "bytes", Flag: "--max-memory"},
		{Name: "connections", Value: 99, Flag: "--connections"},
		{Name: "body", Value: 2 << 20, Unit: "bytes", Answer: http.StatusRequestEntityTooLarge},
	} {
		got := names[want.Name]
		got.What, got.Beyond = "", ""
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

// A form with more models than a question may have is refused, as REST refuses it.
func TestTooManyModelsOfAForm(t *testing.T) {
	form := url.Values{"source": {"X86 SB\n"}, "model": slices.Repeat([]string{"sc"}, 33)}
	if w := post(webtest.NewHandler(t, engines.Local{}), "/explore", form,
		false); w.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(w.Body.String(), "The question has 33 models; the maximum is 32") {
		t.Errorf("status %d\n%s", w.Code, w.Body)
	}
}
