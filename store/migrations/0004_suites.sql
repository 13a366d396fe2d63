-- Suites of tests, as they were submitted, and their rows as they come.
CREATE TABLE suites (
  number    INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: reports may come late
  id        TEXT    NOT NULL UNIQUE,
  owner     TEXT    NOT NULL,
  version   TEXT    NOT NULL, -- of the engines that its rows are from
  request   BLOB    NOT NULL, -- a suites.Request as JSON
  state     TEXT    NOT NULL,
  key       TEXT    UNIQUE,   -- the submitter's, where there is one
  digest    BLOB,             -- of all that was submitted
  created   INTEGER NOT NULL, -- milliseconds since 1970, as is finished
  finished  INTEGER NOT NULL DEFAULT 0,
  tests     INTEGER NOT NULL DEFAULT 0,
  models    INTEGER NOT NULL,
  done      INTEGER NOT NULL DEFAULT 0, -- rows, of which:
  unknown   INTEGER NOT NULL DEFAULT 0,
  failed    INTEGER NOT NULL DEFAULT 0,
  cached    INTEGER NOT NULL DEFAULT 0,
  set_aside INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX suites_by_state ON suites (state, number);
CREATE TABLE suite_labels (
  suite INTEGER NOT NULL REFERENCES suites ON DELETE CASCADE,
  label TEXT    NOT NULL,
  value TEXT    NOT NULL,
  PRIMARY KEY (label, value, suite)
) WITHOUT ROWID;
CREATE INDEX suite_labels_by_suite ON suite_labels (suite);
CREATE TABLE suite_totals (
  suite     INTEGER NOT NULL REFERENCES suites ON DELETE CASCADE,
  model     INTEGER NOT NULL, -- by index in the request
  allowed   INTEGER NOT NULL DEFAULT 0,
  forbidden INTEGER NOT NULL DEFAULT 0,
  undecided INTEGER NOT NULL DEFAULT 0,
  failed    INTEGER NOT NULL DEFAULT 0,
  holds     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (suite, model)
) WITHOUT ROWID;
CREATE TABLE suite_tests (
  suite  INTEGER NOT NULL,
  n      INTEGER NOT NULL, -- its place, from 0
  path   TEXT    NOT NULL,
  name   TEXT    NOT NULL, -- in its header
  source TEXT    NOT NULL,
  error  TEXT    NOT NULL, -- why it has no source; "" where it has
  PRIMARY KEY (suite, n)
) WITHOUT ROWID;
-- One row for each test and model, whatever how often it was run.
CREATE TABLE suite_rows (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of recording
  suite  INTEGER NOT NULL,
  test   INTEGER NOT NULL,
  model  INTEGER NOT NULL,
  code   TEXT    NOT NULL, -- a suites.Code
  ms     REAL    NOT NULL,
  cause  TEXT,             -- of a failure, or of not knowing
  packed INTEGER NOT NULL, -- 1: body is compressed
  body   BLOB    NOT NULL, -- a solver.Result as JSON
  UNIQUE (suite, test, model)
);
CREATE INDEX suite_rows_by_seq ON suite_rows (suite, seq);
-- What the database calls itself in a queue that it may share with others.
CREATE TABLE identity (name TEXT NOT NULL);
INSERT INTO identity VALUES (lower(hex(randomblob(8))));
