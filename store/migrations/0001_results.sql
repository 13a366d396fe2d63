-- One answer for each question; the key is a hash of everything that decides it.
CREATE TABLE results (
  id        INTEGER PRIMARY KEY,
  key       BLOB    NOT NULL UNIQUE,
  engine    TEXT    NOT NULL,
  version   INTEGER NOT NULL, -- of the engine
  witnesses INTEGER NOT NULL, -- 1: the answer carries its outcomes' evidence
  packed    INTEGER NOT NULL, -- 1: body is compressed
  body      BLOB    NOT NULL, -- a solver.Result as JSON
  used      INTEGER NOT NULL  -- when it was last asked for, in seconds since 1970
);
CREATE INDEX results_by_engine ON results (engine, version);
