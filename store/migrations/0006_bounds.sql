-- What the cache and the permalinks take is kept count of as it changes, and what was
-- not asked for the longest is found without a look at the rest. The cache starts anew.
DROP TABLE results;
CREATE TABLE results (
  id        INTEGER PRIMARY KEY,
  key       BLOB    NOT NULL UNIQUE,
  engine    TEXT    NOT NULL,
  version   INTEGER NOT NULL, -- of the engine
  witnesses INTEGER NOT NULL, -- 1: the answer carries its outcomes' evidence
  packed    INTEGER NOT NULL, -- 1: body is compressed
  bytes     INTEGER NOT NULL, -- that the row takes in the file, about
  used      INTEGER NOT NULL, -- when it was last asked for, in seconds since 1970
  body      BLOB    NOT NULL  -- a solver.Result as JSON
);
CREATE INDEX results_by_engine ON results (engine, version);
CREATE INDEX results_by_use ON results (used);

CREATE TABLE new_links (
  id      TEXT    PRIMARY KEY,
  packed  INTEGER NOT NULL, -- 1: body is compressed
  bytes   INTEGER NOT NULL, -- that the row takes in the file, about
  created INTEGER NOT NULL, -- seconds since 1970
  used    INTEGER NOT NULL, -- when it was last opened
  body    BLOB    NOT NULL  -- a Link as JSON
);
INSERT INTO new_links SELECT id, 0, length(body) + 250, created, created, body FROM links;
DROP TABLE links;
ALTER TABLE new_links RENAME TO links;
CREATE INDEX links_by_use ON links (used);

CREATE TABLE sizes (
  kept  TEXT    PRIMARY KEY, -- a table
  bytes INTEGER NOT NULL     -- of its rows together
) WITHOUT ROWID;
INSERT INTO sizes SELECT 'results', 0 UNION ALL SELECT 'links', coalesce(sum(bytes), 0) FROM links;
CREATE TRIGGER results_more AFTER INSERT ON results BEGIN UPDATE sizes SET bytes = bytes + new.bytes WHERE kept = 'results'; END;
CREATE TRIGGER results_less AFTER DELETE ON results BEGIN UPDATE sizes SET bytes = bytes - old.bytes WHERE kept = 'results'; END;
CREATE TRIGGER results_other AFTER UPDATE OF bytes ON results BEGIN UPDATE sizes SET bytes = bytes - old.bytes + new.bytes WHERE kept = 'results'; END;
CREATE TRIGGER links_more AFTER INSERT ON links BEGIN UPDATE sizes SET bytes = bytes + new.bytes WHERE kept = 'links'; END;
CREATE TRIGGER links_less AFTER DELETE ON links BEGIN UPDATE sizes SET bytes = bytes - old.bytes WHERE kept = 'links'; END;
