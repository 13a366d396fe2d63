-- What permalinks lead to.
CREATE TABLE links (
  id      TEXT PRIMARY KEY,
  body    BLOB    NOT NULL, -- a Link as JSON
  created INTEGER NOT NULL  -- seconds since 1970
);
