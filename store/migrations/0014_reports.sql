-- What the devices of a classroom's voters have counted in runs of a test, or that they took no part.
CREATE TABLE room_reports (
  room   INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
  item   INTEGER NOT NULL,
  run    INTEGER NOT NULL, -- from 1
  voter  BLOB    NOT NULL, -- as votes have it
  report BLOB    NOT NULL, -- as JSON; a later one replaces it
  PRIMARY KEY (room, item, run, voter)
) WITHOUT ROWID;
