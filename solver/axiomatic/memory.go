package axiomatic

import (
	"context"
	"math"

	"litmuscope/solver"
	"litmuscope/solver/axiomatic/encode"
	"litmuscope/solver/symbolic"
)

// The forecast of a question's memory, in bytes. What a child's runtime has without a formula is usualMemory. A gate,
// with its literals in relations, takes about perGate, and a clause in the circuit and in the solver perClause; both
// include learnt clauses and the garbage that Go's collector leaves at its usual pace. Before there is a formula, the
// forecast is perCube times the cube of the events, as compositions of relations need; it may be wrong by a factor of
// four in both directions, and the forecast from gates follows.
//
// Measured on threads with three accesses in each round of a loop, 15 s to 25 s of search, Linux on amd64:
//
//	model    events      gates    clauses  forecast, MiB  peak, MiB
//	rc11        106     30,100     86,766            107        134
//	aarch64     106     10,792     62,113             88        129
//	tso         202     62,061    188,058            156        138
//	rc11        202    205,777    550,082            348        268
//	power       588  1,146,019  3,024,422          1,637      1,681
const (
	usualMemory = 64 << 20
	perGate     = 700
	perClause   = 280
	perCube     = 7
)

// claimBefore claims the memory of a formula that the engine has not built yet.
func claimBefore(ctx context.Context, s *symbolic.Structure, stats *solver.Stats) error {
	n := float64(len(s.Events))
	stats.Events = len(s.Events)
	return claimMemory(ctx, usualMemory+perCube*n*n*n, stats)
}

// claimFor claims the memory for asking about a formula.
func claimFor(ctx context.Context, e *encode.Encoding, stats *solver.Stats) error {
	return claimMemory(ctx, usualMemory+perGate*float64(e.Vars())+perClause*float64(e.Clauses()), stats)
}

// claimMemory claims so many bytes, and notes them in the statistics.
func claimMemory(ctx context.Context, bytes float64, stats *solver.Stats) error {
	stats.ForecastMiB = math.Round(bytes/(1<<20)*10) / 10
	return solver.ClaimMemory(ctx, int64(min(bytes, 1<<60)))
}
