package cmd

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
)

var soakTime = flag.Duration("soak", 0, "how long TestSoak goes on; 0 leaves it out")

// TestSoak runs people, suites, classes, families and programs that need too much at two sites at once. Meanwhile it
// kills and stops their processes, changes their clocks and fills a disk. It prints the results. It fails if a row or a
// vote is lost or wrong, if a question gets a wrong answer while the site is undisturbed, or if memory or descriptors
// of an undisturbed server grow.
func TestSoak(t *testing.T) {
	if *soakTime == 0 {
		t.Skip("takes -soak TIME (task soak -- TIME)")
	}
	var sites sync.WaitGroup
	tests, want := classicAnswers(t)
	disk, mounted := smallDisk(t)
	if !mounted {
		disk = t.TempDir()
	}
	leap := exec.Command("unshare", "-T", "--monotonic", "1000", "--boottime", "1000", "true").Run() == nil
	if !leap {
		t.Log("left out: leaps of the monotonic clock at restarts, for which unshare -T wants to be root")
	}
	t.Log("left out: leaps of the time of day, which Go asks the kernel for past libfaketime")
	for name, elsewhere := range map[string]bool{"one machine": false, "many machines": true} {
		s := &soak{
			T: t, name: name, tests: tests, want: want, leap: leap, until: time.Now().Add(*soakTime),
			spared: time.Now().Add(*soakTime),
			took:   map[string][]time.Duration{}, again: map[string]int{}, did: map[string]int{},
			told: map[string]string{},
		}
		at := t.TempDir()
		if elsewhere {
			s.spared = time.Now().Add(*soakTime / 3) // so that its memory is measurable
		} else if at = disk; mounted {
			s.disk = disk
		}
		s.site = newSite(t, elsewhere, at, "--trust-proxy", "127.0.0.1", "--max-cache", "64", "--log-format", "text")
		s.ready(t.Context())
		sites.Go(s.run)
	}
	sites.Wait()
}

// smallDisk returns a folder on a small disk that the test can fill, if the system permits one.
func smallDisk(t *testing.T) (folder string, ok bool) {
	folder = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512m", "tmpfs",
		folder).CombinedOutput(); err != nil {
		t.Logf("left out: a full disk, for which mount wants to be root: %v: %s", err, out)
		return "", false
	}
	unmount := func() {
		if out, err := exec.Command("umount", "-l", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	}
	t.Cleanup(unmount)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() { // which ends the test without its cleaning up
		<-interrupted
		unmount()
		os.Exit(1)
	}()
	return folder, true
}

// soak has a site, its disturbances and the measurements.
type soak struct {
	*testing.T
	*site
	name   string
	tests  []catalogue.Entry
	want   map[string]*solver.Result
	leap   bool   // the monotonic clock may
	disk   string // which the test may fill; "": none
	until  time.Time
	spared time.Time // from when on the server is let live

	number atomic.Int64 // of tests that nobody has asked about
	mu     sync.Mutex
	under  int // the number of disturbances under way
	did    map[string]int
	took   map[string][]time.Duration // by kind of question, at undisturbed times
	again  map[string]int             // … and how often it asked again after a disturbance
	rows   int                        // that were checked
	votes  int                        // that counted
	told   map[string]string          // the answer to each question that has only one
	memory [2][]int64                 // of the server, in the second third of the time and in the last
	opened [2][]int64                 // … its descriptors
}

// run does everything at once until the time is up, waits for running work, and prints the results.
func (s *soak) run() {
	ctx, cancel := context.WithDeadline(s.Context(), s.until)
	defer cancel()
	end, ended := context.WithDeadline(s.Context(), s.until.Add(10*time.Minute)) // of what is under way then
	defer ended()
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { s.person(ctx, end) })
	}
	for _, f := range []func(ctx, end context.Context){
		s.suites, s.suites, s.classes, s.classes, s.families, s.programs, s.bombs, s.disturbances, s.watch,
	} {
		all.Go(func() { f(ctx, end) })
	}
	all.Wait()

	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kind := range slices.Sorted(maps.Keys(s.took)) {
		spread(s.T, fmt.Sprintf("%s: %s", s.name, kind), s.took[kind])
	}
	s.Logf("%s: %d rows of suites were there and right, and %d votes counted", s.name, s.rows, s.votes)
	if s.rows == 0 || s.votes == 0 {
		s.Errorf("%s: no suite or no class came to its end", s.name)
	}
	s.Logf("%s: asked again, as something had been done to the site: %v", s.name, s.again)
	s.Logf("%s: done to the site: %v", s.name, s.did)
	if s.elsewhere() {
		s.flat("memory in MiB", s.memory, 64<<20, 1<<20)
		s.flat("descriptors", s.opened, 32, 1)
	}
	for _, p := range s.parts() {
		if p.ended() {
			s.Errorf("%s: the %s has ended by itself", s.name, p.name)
		}
		said := map[string]int{}
		for _, m := range complaint.FindAllStringSubmatch(p.said(s.T), -1) {
			said[m[1]]++
		}
		s.Logf("%s: errors in the log of %s: %v", s.name, p.name, said)
		if strings.Contains(p.said(s.T), "goroutine ") {
			s.Errorf("%s: the %s has panicked", s.name, p.name)
		}
	}
}

var complaint = regexp.MustCompile(`level=ERROR msg=("[^"]*"|\S+)`)

func (s *soak) elsewhere() bool { return s.queue != nil }

// calm returns the number of disturbances so far, and whether none is under way.
func (s *soak) calm() (since int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.did {
		since += n
	}
	return since, s.under == 0
}

// ask asks until it gets a good answer, and records how long that took. It permits a bad answer or none only if the
// site was disturbed meanwhile.
func (s *soak) ask(
	ctx context.Context, kind string, c *http.Client, request func() *http.Request,
	well func(status int, body []byte) error,
) (body []byte, ok bool) {
	for ctx.Err() == nil {
		before, calm := s.calm()
		began, status := time.Now(), 0
		w, err := c.Do(request().WithContext(ctx))
		if err == nil {
			status = w.StatusCode
			body, err = io.ReadAll(w.Body)
			w.Body.Close()
		}
		took := time.Since(began)
		if err == nil {
			if err = well(status, body); err != nil {
				err = fmt.Errorf("status %d, %w: %.500s", status, err, body)
			}
		}
		after, still := s.calm()
		calm = calm && still && before == after
		s.mu.Lock()
		if err == nil && calm {
			s.took[kind] = append(s.took[kind], took)
		} else if err != nil {
			s.again[kind]++
		}
		s.mu.Unlock()
		switch {
		case err == nil:
			return body, true
		case ctx.Err() != nil:
		case calm:
			s.Errorf("%s: %s: %v", s.name, kind, err)
			return nil, false
		}
		pause(ctx, 300*time.Millisecond)
	}
	return nil, false
}

// pause waits a random time of less than twice long, on average long.
func pause(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(2 * long)):
	}
}

// consistently returns an error if a question gets another answer than before.
func (s *soak) consistently(question, answer string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.told[question]; ok && was != answer {
		return fmt.Errorf("%s: %.200s, and before %.200s", question, answer, was)
	}
	s.told[question] = answer
	return nil
}

// disturbances disturbs the site in one way after another.
func (s *soak) disturbances(ctx, end context.Context) {
	kill := func(p *part) func() {
		return func() {
			p.kill()
			pause(end, 500*time.Millisecond)
			s.restart(p)
		}
	}
	still := func(p *part) func() {
		return func() {
			_ = p.Process.Signal(syscall.SIGSTOP) // then its clocks leap
			pause(end, 3*time.Second)
			_ = p.Process.Signal(syscall.SIGCONT)
		}
	}
	worker := s.server // where it is the only one
	if s.elsewhere() {
		worker = s.others[0]
	}
	for {
		pause(ctx, 4*time.Second)
		if ctx.Err() != nil {
			return
		}
		may := map[string]func(){
			"a child killed": func() { s.killChild(worker) }, "another child killed": func() { s.killChild(s.server) },
		}
		if s.elsewhere() {
			may["queue killed"], may["worker killed"], may["worker stood still"] = kill(s.queue), kill(worker),
				still(worker)
		}
		if time.Now().Before(s.spared) {
			may["server killed"], may["server stood still"] = kill(s.server), still(s.server)
		}
		if s.disk != "" {
			may["disk full"] = func() { s.fill(end) }
		}
		what := slices.Sorted(maps.Keys(may))[rand.IntN(len(may))]
		s.mu.Lock()
		s.under++
		s.did[what]++
		s.mu.Unlock()
		may[what]()
		s.ready(end)
		s.mu.Lock()
		s.under--
		s.mu.Unlock()
	}
}

// restart starts a killed process again, with a changed monotonic clock if the system permits that.
func (s *soak) restart(p *part) {
	if !s.leap {
		p.start(s.T)
		return
	}
	by := strconv.Itoa(rand.IntN(1_000_000))
	p.start(s.T, "unshare", "-T", "--monotonic", by, "--boottime", by)
}

// ready waits until /readyz answers 200.
func (s *soak) ready(ctx context.Context) {
	for ctx.Err() == nil {
		if status, _ := s.probe("readyz"); status == http.StatusOK {
			return
		}
		if s.server.ended() {
			s.Errorf("%s: the server has ended by itself: %s", s.name, lastOf(s.server.said(s.T), 1000))
			s.restart(s.server)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// killChild kills one child of a process, busy or not.
func (s *soak) killChild(p *part) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.Process.Pid))
	if err != nil {
		s.Error(err)
	}
	var children []string
	for _, of := range threads {
		text, _ := os.ReadFile(of) // unless the thread has ended
		children = append(children, strings.Fields(string(text))...)
	}
	if len(children) == 0 {
		return
	}
	if pid, err := strconv.Atoi(children[rand.IntN(len(children))]); err == nil {
		_ = syscall.Kill(pid, syscall.SIGKILL) // unless it has ended
	}
}

// fill fills the disk and checks that questions which need no disk still get answers. Sometimes it kills the server
// meanwhile.
func (s *soak) fill(ctx context.Context) {
	ballast := filepath.Join(s.disk, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		s.Error(err)
		return
	}
	for block := make([]byte, 1<<20); err == nil; {
		_, err = f.Write(block)
	}
	f.Close()
	if rand.IntN(3) == 0 {
		s.server.kill()
		s.restart(s.server)
		pause(ctx, 2*time.Second)
	} else {
		pause(ctx, time.Second)
		if status, body := s.probe("readyz"); status != http.StatusServiceUnavailable ||
			!strings.Contains(body, "database") {
			s.Errorf("%s: with a full disk, /readyz says %d: %s", s.name, status, body)
		}
		for _, path := range []string{"healthz", "", "learn", "api/v1/models"} {
			if status, body := s.probe(path); status != http.StatusOK {
				s.Errorf("%s: with a full disk, /%s says %d: %.300s", s.name, path, status, body)
			}
		}
		if status, body, err := s.explored(s.tests[0].Source); err != nil || status != http.StatusOK {
			s.Errorf("%s: with a full disk, a question is answered %d, %v: %.300s", s.name, status, err, body)
		}
		pause(ctx, 2*time.Second)
	}
	if err := os.Remove(ballast); err != nil {
		s.Error(err)
	}
	if s.server.ended() { // as it may, if it says why
		if said := lastOf(s.server.said(s.T), 500); !strings.Contains(said, "full") &&
			!strings.Contains(said, "no space") && !strings.Contains(said, "no room") {
			s.Errorf("%s: with a full disk, the server ended saying %s", s.name, said)
		}
		s.restart(s.server)
	}
}

// watch records the server's memory and descriptors.
func (s *soak) watch(ctx, _ context.Context) {
	for ; ctx.Err() == nil; pause(ctx, time.Second) {
		third := 2 - int(time.Until(s.until)*3 / *soakTime)
		pid := s.server.Process.Pid
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		if err != nil || third < 1 || third > 2 || time.Now().Before(s.spared) {
			continue
		}
		s.mu.Lock()
		s.memory[third-1] = append(s.memory[third-1], residentAlone(s.T, pid))
		s.opened[third-1] = append(s.opened[third-1], int64(len(files)))
		s.mu.Unlock()
	}
}

// flat fails the test if the median of the last third exceeds that of the third before by more than a quarter plus
// slack.
func (s *soak) flat(what string, seen [2][]int64, slack, unit int64) {
	var at [2]int64
	for i, all := range seen {
		if len(all) == 0 {
			s.Errorf("%s: no %s was noted", s.name, what)
			return
		}
		slices.Sort(all)
		at[i] = all[len(all)/2]
	}
	s.Logf("%s: %s of the server: median %d in the second third of the time, %d in the last, at most %d and %d",
		s.name, what, at[0]/unit, at[1]/unit, slices.Max(seen[0])/unit, slices.Max(seen[1])/unit)
	if at[1] > at[0]+at[0]/4+slack {
		s.Errorf("%s: %s of the server grow from %d to %d", s.name, what, at[0]/unit, at[1]/unit)
	}
}
