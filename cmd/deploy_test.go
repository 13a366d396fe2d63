package cmd

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"litmuscope/solver/queue"
)

// flagsOf returns the environment variables of a command's flags.
func flagsOf(command *cobra.Command) map[string]bool {
	out := map[string]bool{}
	command.Flags().VisitAll(func(f *pflag.Flag) { out[variable(f.Name)] = true })
	return out
}

var variables = regexp.MustCompile(`LITMUSCOPE_[A-Z_]+`)

// The files of static/deploy use only flags and variables that the program has.
func TestDeploymentsUseExistingFlags(t *testing.T) {
	serve, worker := flagsOf(serveCommand()), flagsOf(workerCommand())
	for file, known := range map[string]map[string]bool{
		"litmuscope.service": serve, "litmuscope-worker.service": worker, "Containerfile": serve,
	} {
		text, err := os.ReadFile("static/deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := variables.FindAllString(string(text), -1)
		for _, v := range found {
			if !known[v] {
				t.Errorf("%s sets %s, and there is no such flag", file, v)
			}
		}
		if len(found) == 0 {
			t.Errorf("%s sets nothing", file)
		}
	}

	text, err := os.ReadFile("static/deploy/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Command     []string
			Environment map[string]string
			Volumes     []string
			Networks    []string
		}
		Volumes, Networks map[string]any
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	if len(compose.Services) != 5 {
		t.Errorf("%d services, want three nodes, a server and a worker", len(compose.Services))
	}
	for name, s := range compose.Services {
		known := map[string]map[string]bool{"serve": serve, "worker": worker}[s.Command[0]]
		for v := range s.Environment {
			if strings.HasPrefix(v, "LITMUSCOPE_") && !known[v] {
				t.Errorf("%s sets %s, and there is no such flag", name, v)
			}
		}
		for _, n := range s.Networks {
			if _, ok := compose.Networks[n]; !ok {
				t.Errorf("%s: no network %s", name, n)
			}
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			_, volume := compose.Volumes[from]
			if _, err := os.Stat(filepath.Join("static/deploy", from)); !volume && err != nil {
				t.Errorf("%s: no volume or file %s", name, from)
			}
		}
	}
}

// Three nodes with the supplied configuration form a queue with three copies of everything, which survives the death of
// a node.
func TestQueueOfThreeNodes(t *testing.T) {
	const password = "secret-of-the-test"
	t.Setenv("NATS_PASSWORD", password)
	var nodes []*server.Server
	var urls, routes []string
	var ports [3]int // between the nodes: each has to know the others before it starts
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = l.Addr().(*net.TCPAddr).Port
		l.Close()
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	for i, port := range ports {
		t.Setenv("NATS_NAME", fmt.Sprintf("nats-%d", i+1))
		o, err := server.ProcessConfigFile("static/deploy/nats.conf")
		if err != nil {
			t.Fatal(err)
		}
		if o.Username != "litmuscope" || o.Password != password || o.MaxPayload != 8<<20 || !o.JetStream {
			t.Fatalf("configured as %+v", o)
		}
		// On one machine, addresses and folders must differ.
		o.Host, o.Port, o.Cluster.Host, o.Cluster.Port = "127.0.0.1", server.RANDOM_PORT, "127.0.0.1", port
		o.HTTPPort, o.StoreDir, o.NoSigs, o.NoLog = 0, t.TempDir(), true, true
		o.Routes = server.RoutesFromStr(strings.Join(routes, ","))
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		defer s.WaitForShutdown()
		defer s.Shutdown()
		nodes = append(nodes, s)
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("a node is not ready")
		}
		urls = append(urls, strings.Replace(s.ClientURL(), "nats://", "nats://litmuscope:"+password+"@", 1))
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	q, err := queue.Dial(t.Context(), strings.Join(urls, ","), queue.Login{}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	streams := 0
	for _, n := range nodes {
		info, err := n.Jsz(&server.JSzOptions{Streams: true, Config: true, Accounts: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range info.AccountDetails {
			for _, s := range a.Streams {
				streams++
				if s.Config.Replicas != 3 {
					t.Errorf("stream %s has %d copies", s.Name, s.Config.Replicas)
				}
			}
		}
	}
	if streams != 6 {
		t.Errorf("%d copies of streams, want 2 streams on 3 nodes", streams)
	}
	nodes[0].Shutdown()
	again, err := queue.Dial(t.Context(), strings.Join(urls, ","), queue.Login{}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.Ready(t.Context()); err != nil {
		t.Errorf("with two nodes left: %v", err)
	}
}
