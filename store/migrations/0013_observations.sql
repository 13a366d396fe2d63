-- What machines have shown of tests: one row for each machine, test and session. Sums over sessions are made by readers.
CREATE TABLE machines (
  number    INTEGER PRIMARY KEY,
  name      TEXT    NOT NULL UNIQUE,
  arch      TEXT    NOT NULL, -- as in the headers of tests; "" where nobody has said, as are the others
  processor TEXT    NOT NULL,
  system    TEXT    NOT NULL,
  cores     INTEGER NOT NULL
);
CREATE TABLE observations (
  number  INTEGER PRIMARY KEY,
  machine INTEGER NOT NULL REFERENCES machines (number) ON DELETE CASCADE,
  program BLOB    NOT NULL, -- litmus.ProgramHash; empty where nobody has supplied the test's source
  test    TEXT    NOT NULL, -- its name
  session TEXT    NOT NULL, -- the machine's name for it: storing it again replaces it
  made    INTEGER NOT NULL, -- milliseconds since 1970
  runs    INTEGER NOT NULL,
  packed  INTEGER NOT NULL, -- 1: body is compressed
  body    BLOB    NOT NULL  -- []solver.SeenState as JSON
);
CREATE UNIQUE INDEX observations_once ON observations (program, machine, session, CASE program WHEN x'' THEN test END);
CREATE INDEX observations_by_machine ON observations (machine);
-- The hash of the program of a suite's test; NULL for tests that could not be read, or that are older than this column.
ALTER TABLE suite_tests ADD COLUMN program BLOB;
CREATE INDEX suite_tests_programs ON suite_tests (suite, program, n) WHERE program IS NOT NULL;
