package class

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/store"
)

// asked opens a class whose devices are asked to run its first question's test.
func asked(t *testing.T, hall *Hall) *Room {
	t.Helper()
	room, _ := newRoom(t, hall, sb(), sb())
	does(t, room, Action{Do: Open}, Action{Do: Close})
	if err := room.AskDevices(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return room
}

func ran(page string, counts map[string]int64) Report {
	r := Report{Answer: Ran, Page: page, Kind: "x86", Counts: counts}
	for _, n := range counts {
		r.Runs += n
	}
	return r
}

// Whatever devices report, and however often, the sums are those of the last report of each that was acknowledged, also
// after a restart.
func TestReportsAreSummedExactly(t *testing.T) {
	_, kept := newHall(t)
	rapid.Check(t, func(rt *rapid.T) {
		hall := NewHall(kept, time.Now)
		room, _, err := hall.Open(context.Background(), "", []Item{sb()})
		if err != nil {
			rt.Fatal(err)
		}
		ctx := context.Background()
		if err := errors.Join(room.Do(ctx, Action{Do: Open}), room.Do(ctx, Action{Do: Close}),
			room.AskDevices(ctx, []byte(`{"a":1}`))); err != nil {
			rt.Fatal(err)
		}
		last := map[string]Report{}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			who := rapid.SampledFrom([]string{"ann", "bob", "cat"}).Draw(rt, "who")
			before, answered := last[who]
			var now Report
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				now = Report{Answer: rapid.SampledFrom([]Participation{Declined, Cannot}).Draw(rt, "answer")}
			case 1:
				now = before // sent again
			case 2:
				if room, err = NewHall(kept, time.Now).ByCode(ctx, room.Code); err != nil {
					rt.Fatal(err)
				}
				continue
			default:
				now = ran(who, maps.Clone(before.Counts))
				now.Kind = rapid.SampledFrom([]string{"x86", "ios"}).Draw(rt, "kind")
				if before.Answer == Ran {
					now.Kind = before.Kind
				}
				if now.Counts == nil {
					now.Counts = map[string]int64{}
				}
				n := rapid.Int64Range(1, 1000).Draw(rt, "n")
				now.Counts[rapid.SampledFrom([]string{"x=0", "x=1"}).Draw(rt, "outcome")] += n
				now.Runs += n
			}
			got, err := room.Report(ctx, VoterOf(who), 0, 1, now)
			if now.Answer == "" && errors.Is(err, ErrReport) {
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			if want := now; answered && before.Answer == Ran && now.Answer != Ran {
				now = before
			} else if !reflect.DeepEqual(got, want) {
				rt.Fatalf("%s reported %+v, and %+v counts", who, want, got)
			}
			last[who] = now
		}
		want := DeviceSum{Kinds: map[string]KindSum{}, Counts: map[string]map[string]int64{}}
		for _, r := range last {
			switch r.Answer {
			case Declined:
				want.Declined++
			case Cannot:
				want.Cannot++
			case Ran:
				want.Ran++
				k := want.Kinds[r.Kind]
				want.Kinds[r.Kind] = KindSum{Devices: k.Devices + 1, Runs: k.Runs + r.Runs}
				for outcome, n := range r.Counts {
					if want.Counts[outcome] == nil {
						want.Counts[outcome] = map[string]int64{}
					}
					want.Counts[outcome][r.Kind] += n
				}
			}
		}
		got := room.Sum(0, 1)
		got.Unanswered = 0
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("the sum is %+v, want %+v", got, want)
		}
		if total := got.Total(); total.Devices != got.Ran {
			rt.Fatalf("%d devices in all, %d ran", total.Devices, got.Ran)
		}
		if err := room.End(ctx); err != nil {
			rt.Fatal(err)
		}
	})
}

func TestReportsThatAreRejected(t *testing.T) {
	hall, _ := newHall(t)
	room := asked(t, hall)
	ann := VoterOf("ann")
	many := map[string]int64{}
	for n := range MaxOutcomes + 1 {
		many[fmt.Sprint("x=", n)] = 1
	}
	few := maps.Clone(many)
	delete(few, "x=0")
	changed := func(change func(*Report)) Report {
		r := ran("a", map[string]int64{"x=0": 3, "x=1": 2})
		change(&r)
		return r
	}
	counts := func(a, b int64) Report { return ran("a", map[string]int64{"x=0": a, "x=1": b}) }
	for what, c := range map[string]struct {
		report Report
		want   error
	}{
		"no answer":              {Report{}, ErrReport},
		"another answer":         {Report{Answer: "perhaps"}, ErrReport},
		"declined, with a kind":  {Report{Answer: Declined, Kind: "x86"}, ErrReport},
		"cannot, with counts":    {changed(func(r *Report) { r.Answer = Cannot }), ErrReport},
		"a kind that is not":     {changed(func(r *Report) { r.Kind = "Ann's phone" }), ErrReport},
		"no page":                {changed(func(r *Report) { r.Page = "" }), ErrReport},
		"a long page":            {changed(func(r *Report) { r.Page = strings.Repeat("a", maxPage+1) }), ErrReport},
		"a negative count":       {changed(func(r *Report) { r.Counts["x=0"], r.Runs = -3, -1 }), ErrReport},
		"no count":               {changed(func(r *Report) { r.Counts["x=2"] = 0 }), ErrReport},
		"an absurd count":        {counts(MaxCounted+1, 2), ErrReport},
		"too many runs":          {counts(MaxCounted, 2), ErrReport},
		"another sum":            {changed(func(r *Report) { r.Runs++ }), ErrReport},
		"a negative number left": {changed(func(r *Report) { r.Left = -1 }), ErrReport},
		"too many outcomes":      {ran("a", many), ErrOutcomes},
	} {
		if _, err := room.Report(t.Context(), ann, 0, 1, c.report); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	if sum := room.Sum(0, 1); sum.Ran+sum.Declined+sum.Cannot != 0 || len(sum.Counts) > 0 {
		t.Errorf("of what was rejected, this counts: %+v", sum)
	}
	sends := func(by string, run int, r Report, want error) {
		t.Helper()
		if _, err := room.Report(t.Context(), VoterOf(by), 0, run, r); !errors.Is(err, want) {
			t.Errorf("%s, %+v: %v, want %v", by, r, err, want)
		}
	}
	sends("ann", 1, changed(func(*Report) {}), nil)
	sends("ann", 1, ran("b", map[string]int64{"x=0": 9}), ErrOtherPage)
	sends("ann", 1, ran("a", map[string]int64{"x=0": 2, "x=1": 9}), ErrReport)
	sends("ann", 1, changed(func(r *Report) { r.Kind, r.Left = "ios", 1 }), ErrReport)
	sends("ann", 1, Report{Answer: Declined}, nil) // what was counted stays
	sends("bob", 1, ran("b", few), ErrOutcomes)    // the class has seen x=0
	sends("bob", 2, changed(func(*Report) {}), ErrNotAsked)
	sends("bob", 0, changed(func(*Report) {}), ErrNotAsked)
	if _, err := room.Report(t.Context(), ann, 1, 1, changed(func(*Report) {})); !errors.Is(err, ErrNotAsked) {
		t.Errorf("of a question whose test was not run: %v", err)
	}
	if sum := room.Sum(0, 1); sum.Ran != 1 || sum.Declined != 0 || sum.Total().Runs != 5 {
		t.Errorf("the sum is %+v", sum)
	}
	for i := range MaxVoters {
		room.voters[VoterOf(fmt.Sprint(i))] = true
	}
	sends("one more", 1, Report{Answer: Declined}, ErrFull)
	if err := room.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	sends("ann", 1, Report{Answer: Declined}, store.ErrNoRoom)
}

// Devices are asked after the vote, until the teacher stops, votes again or goes on; reports that are on their way
// still count for a while.
func TestWhenDevicesAreAsked(t *testing.T) {
	_, kept := newHall(t)
	clock := newClock()
	hall := NewHall(kept, clock.now)
	room, _ := newRoom(t, hall, sb(), sb())
	asks := func(want error) {
		t.Helper()
		if err := room.AskDevices(t.Context(), nil); !errors.Is(err, want) {
			t.Errorf("asked: %v, want %v", err, want)
		}
	}
	is := func(asking, shown bool) {
		t.Helper()
		if v := room.View(); v.Progress[0].Asking != asking || v.Counts != shown {
			t.Errorf("asking: %v, shown: %v; want %v, %v", v.Progress[0].Asking, v.Counts, asking, shown)
		}
	}
	asks(ErrNotNow)
	does(t, room, Action{Do: Open})
	asks(ErrNotNow)
	if err := room.Do(t.Context(), Action{Do: Counts, N: 1}); !errors.Is(err, ErrNotNow) {
		t.Errorf("shows what nobody has counted: %v", err)
	}
	does(t, room, Action{Do: Close})
	asks(nil)
	is(true, true)
	does(t, room, Action{Do: Counts, N: 0})
	is(true, false)
	does(t, room, Action{Do: Devices, N: 0})
	is(false, false)
	if err := room.Do(t.Context(), Action{Do: Devices, N: 0}); !errors.Is(err, ErrNotNow) {
		t.Errorf("stopped again: %v", err)
	}
	report := func(run int, want error) {
		t.Helper()
		if _, err := room.Report(t.Context(), VoterOf("ann"), 0, run, Report{Answer: Declined}); !errors.Is(err, want) {
			t.Errorf("run %d: %v, want %v", run, err, want)
		}
	}
	clock.goOn(RunGrace - time.Second)
	report(1, nil)
	clock.goOn(time.Second)
	report(1, ErrNotAsked)
	asks(nil)
	report(1, ErrNotAsked)
	report(2, nil)
	does(t, room, Action{Do: Open})
	is(false, false)
	does(t, room, Action{Do: Reveal})
	asks(nil)
	is(true, true)
	does(t, room, Action{Do: Goto, N: 1})
	is(false, false)
	does(t, room, Action{Do: Goto, N: 0})
	for range MaxRuns - 3 {
		asks(nil)
	}
	asks(ErrNotNow)
	if n := room.View().Progress[0].Runs; n != MaxRuns {
		t.Errorf("%d runs, want %d", n, MaxRuns)
	}
}

// slowStore stores reports when the test lets it.
type slowStore struct {
	Keeper
	begun, goes chan bool
}

func (s *slowStore) SaveReports(ctx context.Context, reports []store.RoomReport) error {
	s.begun <- true
	if !<-s.goes {
		return errors.New("the disk is full")
	}
	return s.Keeper.SaveReports(ctx, reports)
}

// A report counts if, and only if, it is stored, even if its sender does not wait; the voter's next one waits for it.
func TestReportsOnTheirWay(t *testing.T) {
	_, kept := newHall(t)
	slow := &slowStore{kept, make(chan bool, 1), make(chan bool)}
	room := asked(t, NewHall(slow, time.Now))
	ann := VoterOf("ann")
	for _, stored := range []bool{false, true} {
		ctx, leave := context.WithCancel(t.Context())
		var sending sync.WaitGroup
		sending.Go(func() {
			if _, err := room.Report(ctx, ann, 0, 1, ran("a", map[string]int64{"x=0": 1})); !errors.Is(err,
				context.Canceled) {
				t.Errorf("the first: %v", err)
			}
		})
		<-slow.begun
		leave()
		sending.Wait()
		if _, err := room.Report(t.Context(), ann, 0, 1, ran("a", map[string]int64{"x=0": 2})); !errors.Is(err,
			ErrReporting) {
			t.Errorf("the second: %v", err)
		}
		counted := room.Counted()
		slow.goes <- stored
		<-counted
		if n := room.Sum(0, 1).Total().Runs; (n == 1) != stored {
			t.Errorf("stored: %v, and %d runs count", stored, n)
		}
	}
}

// Who is here and has not answered is counted, until they leave.
func TestUnanswered(t *testing.T) {
	hall, _ := newHall(t)
	room := asked(t, hall)
	leaves := map[string]func(){}
	for _, who := range []string{"ann", "bob", "cat"} {
		_, leave, _ := room.Listen(VoterOf(who))
		leaves[who] = leave
	}
	if _, err := room.Report(t.Context(), VoterOf("ann"), 0, 1, Report{Answer: Cannot}); err != nil {
		t.Fatal(err)
	}
	if s := room.Sum(0, 1); s.Unanswered != 2 || s.Cannot != 1 {
		t.Errorf("%+v, want two who have not answered", s)
	}
	leaves["bob"]()
	room.seen[VoterOf("bob")] = time.Now().Add(-2 * around)
	if s := room.Sum(0, 1); s.Unanswered != 1 {
		t.Errorf("%+v, want one", s)
	}
}

func TestDeviceResults(t *testing.T) {
	hall, _ := newHall(t)
	room := asked(t, hall)
	phone := ran("b", map[string]int64{"x=0": 7})
	phone.Kind, phone.Left = "ios", 1
	for who, report := range map[string]Report{
		"ann": ran("a", map[string]int64{"x=1": 2, "x=0": 3}), "bob": phone, "cat": {Answer: Declined},
		"dan": {Answer: Ran, Page: "d", Kind: "mac"},
	} {
		if _, err := room.Report(t.Context(), VoterOf(who), 0, 1, report); err != nil {
			t.Fatal(err)
		}
	}
	if err := room.AskDevices(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range room.DeviceResults()[1:] {
		got = append(got, strings.Join(append(row[:1:1], row[3:]...), ","))
	}
	want := []string{
		"1,1,1,0,iPhone or iPad,1,7,1,x=0,7", "1,1,1,0,Mac (Arm or x86 unknown),1,0,0,,0",
		"1,1,1,0,x86 computer,1,5,0,x=0,3", "1,1,1,0,x86 computer,1,5,0,x=1,2", "1,2,0,0,,0,0,0,,0",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
