-- The key by which the server knows the places in classrooms that it has given to browsers. It is made at its first use.
CREATE TABLE voter_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  key  BLOB    NOT NULL
);
