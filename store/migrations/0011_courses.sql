-- What students of courses have handed in. They are known by what their course's roster calls them.
CREATE TABLE course_tries (
  number   INTEGER PRIMARY KEY,
  course   TEXT    NOT NULL,
  student  TEXT    NOT NULL,
  sheet    TEXT    NOT NULL,
  exercise TEXT    NOT NULL,
  made     INTEGER NOT NULL, -- milliseconds since 1970
  met      INTEGER,          -- 1: it does what was asked for, 0: it does not; NULL: it has not been judged
  text     TEXT    NOT NULL
);
CREATE INDEX course_tries_by_student ON course_tries (course, student, sheet, exercise);
