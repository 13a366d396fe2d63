-- What an engine has said of the edits that somebody in a classroom has made of a test: each is judged once, for all who make it.
CREATE TABLE room_edits (
  room   INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
  item   INTEGER NOT NULL,
  edit   BLOB    NOT NULL, -- a byte for each place, as votes have it
  judged TEXT    NOT NULL, -- done, missed or undecided
  hint   TEXT    NOT NULL, -- what is wrong with it
  PRIMARY KEY (room, item, edit)
) WITHOUT ROWID;
