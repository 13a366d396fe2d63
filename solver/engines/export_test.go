package engines

// RaceByClock is Race by a clock of the test's own.
var RaceByClock = race
