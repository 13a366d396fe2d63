// Package drawingtest makes executions for the tests of drawings: from a short notation ([Sketch]), odd and hostile
// ones ([Odd], [Hostile]), and those that engines find for classic tests, the corpus and C programs ([Found],
// [Failure]).
//
// Only tests import it. It imports models, litmus, solver and solver/engines.
package drawingtest
