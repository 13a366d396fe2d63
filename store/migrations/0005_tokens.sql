-- Who may use the server, where it asks. A token is known by its hash alone.
CREATE TABLE tokens (
  hash    BLOB    PRIMARY KEY, -- SHA-256
  name    TEXT    NOT NULL UNIQUE,
  scopes  TEXT    NOT NULL,    -- joined by commas
  created INTEGER NOT NULL,    -- seconds since 1970
  expires INTEGER NOT NULL     -- … or 0: never
) WITHOUT ROWID;
