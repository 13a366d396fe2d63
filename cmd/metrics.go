package cmd

import (
	"github.com/prometheus/client_golang/prometheus"

	"litmuscope/solver/batch"
	"litmuscope/solver/fairqueue"
	"litmuscope/solver/pool"
	"litmuscope/solver/suites"
)

// count returns a counter whose value f computes at each scrape.
func count(name, help string, labels prometheus.Labels, f func() float64) prometheus.Collector {
	return prometheus.NewCounterFunc(
		prometheus.CounterOpts{Namespace: "litmuscope", Name: name, Help: help, ConstLabels: labels}, f)
}

func gauge(name, help string, labels prometheus.Labels, f func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Namespace: "litmuscope", Name: name, Help: help, ConstLabels: labels}, f)
}

// childMetrics returns metrics of a pool's child processes. lane is their label: "quick", "slow", "reading" or
// "suites".
func childMetrics(lane string, p *pool.Pool) []prometheus.Collector {
	labels := prometheus.Labels{"lane": lane}
	of := func(f func(pool.Stats) float64) func() float64 { return func() float64 { return f(p.Stats()) } }
	return []prometheus.Collector{
		gauge("children", "Largest number of child processes.", labels,
			of(func(s pool.Stats) float64 { return float64(s.Workers) })),
		gauge("children_busy", "Child processes that are working.", labels,
			of(func(s pool.Stats) float64 { return float64(s.Busy) })),
		count("children_started_total", "Child processes started, including restarts.", labels,
			of(func(s pool.Stats) float64 { return float64(s.Started) })),
		count("children_limited_total", "Child processes killed because they reached a limit.", labels,
			of(func(s pool.Stats) float64 { return float64(s.Limited) })),
		count("children_died_total", "Child processes that crashed or were killed by others.", labels,
			of(func(s pool.Stats) float64 { return float64(s.Died) })),
		count("questions_moved_total", "Questions that had to wait for memory, or made room for earlier ones.", labels,
			of(func(s pool.Stats) float64 { return float64(s.Moved) })),
	}
}

// memoryMetrics returns metrics of the memory of all child processes.
func memoryMetrics(m *pool.Memory) []prometheus.Collector {
	if m == nil {
		return nil
	}
	of := func(f func(pool.MemoryStats) float64) func() float64 { return func() float64 { return f(m.Stats()) } }
	return []prometheus.Collector{
		gauge("children_memory_bytes", "Memory that all child processes may have together.", nil,
			of(func(s pool.MemoryStats) float64 { return float64(s.Total) })),
		gauge("children_claimed_bytes", "Memory reserved for child processes.", nil,
			of(func(s pool.MemoryStats) float64 { return float64(s.Claimed) })),
		gauge("questions_waiting_for_memory", "Questions that wait for memory.", nil,
			of(func(s pool.MemoryStats) float64 { return float64(s.Waiting) })),
	}
}

// collectors returns metrics of the questions of people at the pages.
func (p *people) collectors() []prometheus.Collector {
	out := append(childMetrics("quick", p.quick), childMetrics("slow", p.slow)...)
	for lane, of := range map[string]func(fairqueue.Stats) fairqueue.LaneStats{
		"quick": func(s fairqueue.Stats) fairqueue.LaneStats { return s.Quick },
		"slow":  func(s fairqueue.Stats) fairqueue.LaneStats { return s.Slow },
	} {
		labels := prometheus.Labels{"lane": lane}
		lane := func() fairqueue.LaneStats { return of(p.Stats()) }
		out = append(out,
			gauge("turns_waiting", "Questions waiting for their turn.", labels,
				func() float64 { return float64(lane().Waiting) }),
			gauge("turns_running", "Questions being answered.", labels,
				func() float64 { return float64(lane().Running) }),
			count("turns_done_total", "Questions answered.", labels, func() float64 { return float64(lane().Done) }),
			count("turns_refused_total", "Questions refused because too many were waiting.", labels,
				func() float64 { return float64(lane().Refused) }),
			count("turns_waited_seconds_total", "Total time that questions waited, in seconds.", labels,
				func() float64 { return lane().Waited.Seconds() }),
			count("turns_ran_seconds_total", "Total time spent on answers, in seconds.", labels,
				func() float64 { return lane().Ran.Seconds() }),
		)
	}
	return out
}

// collectors returns metrics of suites, the queue and its workers.
func (b *service) collectors() []prometheus.Collector {
	stats := func(f func(s suites.Stats, out, running int) float64) func() float64 {
		return func() float64 { return f(b.Stats()) }
	}
	workers := func(f func(suites.Beat) float64) func() float64 {
		return func() float64 {
			sum := 0.0
			for _, w := range b.Workers() {
				if w.Version == b.Version {
					sum += f(w)
				}
			}
			return sum
		}
	}
	out := []prometheus.Collector{
		gauge("suites_running", "Suites that are not done.", nil,
			stats(func(_ suites.Stats, _, running int) float64 { return float64(running) })),
		gauge("queue_jobs", "Jobs in the queue or with workers.", nil,
			stats(func(_ suites.Stats, out, _ int) float64 { return float64(out) })),
		count("suite_jobs_total", "Jobs put into the queue.", nil,
			stats(func(s suites.Stats, _, _ int) float64 { return float64(s.Jobs) })),
		count("suite_jobs_lost_total", "Jobs that the queue lost and the server put into it again.", nil,
			stats(func(s suites.Stats, _, _ int) float64 { return float64(s.Lost) })),
		count("suite_rows_total", "Rows recorded.", nil,
			stats(func(s suites.Stats, _, _ int) float64 { return float64(s.Rows) })),
		count("suite_rows_dropped_total", "Rows that workers reported although no job had asked for them.", nil,
			stats(func(s suites.Stats, _, _ int) float64 { return float64(s.Dropped) })),
		count("suite_rows_cached_total", "Rows whose answers were in the cache.", nil,
			stats(func(s suites.Stats, _, _ int) float64 { return float64(s.Cached) })),
		count("suite_tests_set_aside_total", "Rows of tests set aside because workers died while running them.", nil,
			stats(func(s suites.Stats, _, _ int) float64 { return float64(s.SetAside) })),
		gauge("workers", "Live workers of this version.", nil,
			workers(func(suites.Beat) float64 { return 1 })),
		gauge("worker_slots", "Tests that the live workers can run at once.", nil,
			workers(func(w suites.Beat) float64 { return float64(w.Slots) })),
		gauge("worker_slots_busy", "Tests that the live workers are running.", nil,
			workers(func(w suites.Beat) float64 { return float64(w.Busy) })),
		gauge("worker_children_started", "Child processes that the live workers have started.", nil,
			workers(func(w suites.Beat) float64 { return float64(w.Started) })),
	}
	if b.pool != nil {
		out = append(out, childMetrics("suites", b.pool)...)
	}
	return out
}

// cacheMetrics returns the hits and misses of the result cache.
func cacheMetrics(c *batch.Cached) []prometheus.Collector {
	const name, help = "cache_lookups_total", "Lookups in the result cache for questions from the pages."
	return []prometheus.Collector{
		count(name, help, prometheus.Labels{"found": "yes"}, func() float64 { return float64(c.Hits.Load()) }),
		count(name, help, prometheus.Labels{"found": "no"}, func() float64 { return float64(c.Misses.Load()) }),
	}
}
