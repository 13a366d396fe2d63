-- Classrooms. Nothing in them says who anybody is: who teaches is known by the hash of a
-- secret, who votes by the hash of a token that their browser made up.
CREATE TABLE rooms (
  number  INTEGER PRIMARY KEY,
  code    TEXT    NOT NULL UNIQUE, -- by which one joins
  secret  BLOB    NOT NULL UNIQUE, -- SHA-256
  created INTEGER NOT NULL,        -- seconds since 1970
  used    INTEGER NOT NULL,        -- when anybody was last there
  state   BLOB    NOT NULL         -- where the lecture is, as JSON
);
CREATE INDEX rooms_by_use ON rooms (used);

CREATE TABLE room_items (
  room  INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
  item  INTEGER NOT NULL, -- from 0
  body  BLOB    NOT NULL, -- what is asked, as JSON
  state BLOB    NOT NULL, -- how far it is, as JSON
  PRIMARY KEY (room, item)
) WITHOUT ROWID;

CREATE TABLE room_votes (
  room   INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
  item   INTEGER NOT NULL,
  round  INTEGER NOT NULL, -- from 1
  voter  BLOB    NOT NULL, -- a hash
  ballot BLOB    NOT NULL, -- a byte for each part of the item
  made   INTEGER NOT NULL, -- when, by the voter's own clock: a later one replaces it
  PRIMARY KEY (room, item, round, voter)
) WITHOUT ROWID;
