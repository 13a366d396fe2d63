-- The names that are made up for voters of rooms whose teachers want points to be seen; of other rooms there are none.
CREATE TABLE room_names (
  room  INTEGER NOT NULL REFERENCES rooms (number) ON DELETE CASCADE,
  voter BLOB    NOT NULL, -- as votes have it
  name  TEXT    NOT NULL,
  PRIMARY KEY (room, voter),
  UNIQUE (room, name)
) WITHOUT ROWID;
