package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Try is a submission of a student of a course.
type Try struct {
	Number                           int64
	Course, Student, Sheet, Exercise string
	At                               time.Time
	Judged, Met                      bool
	Text                             string
}

// Bounds on tries: the bytes of one, and how many of one student at one exercise the store keeps.
const (
	MaxTry   = 16 << 10
	MaxTries = 200
)

// ErrManyTries is the error for more than MaxTries, ErrLongTry that for one longer than MaxTry.
var (
	ErrManyTries = fmt.Errorf(
		"you have handed in %d tries for this exercise, which is the maximum: ask your lecturer",
		MaxTries)
	ErrLongTry = fmt.Errorf("this try is longer than %d KiB, the maximum", MaxTry>>10)
)

func ofCourses(err error) error {
	if err == nil || errors.Is(err, ErrManyTries) {
		return err
	}
	return fmt.Errorf("courses: %w", err)
}

// HandIn stores a try without a verdict, and sets its number. If a student hands in the same try again before its
// verdict, the time of the first one counts. Its errors are ErrManyTries and ErrLongTry.
func (s *Store) HandIn(ctx context.Context, t *Try) error {
	if len(t.Text) > MaxTry {
		return ErrLongTry
	}
	return ofCourses(s.update(ctx, func(tx *sql.Tx) error {
		const same = `WHERE course = ? AND student = ? AND sheet = ? AND exercise = ?`
		of := []any{t.Course, t.Student, t.Sheet, t.Exercise}
		var made int64
		err := tx.QueryRowContext(ctx, `SELECT number, made FROM course_tries `+same+` AND met IS NULL AND text = ?`,
			append(of, t.Text)...).Scan(&t.Number, &made)
		if !errors.Is(err, sql.ErrNoRows) {
			t.At = time.UnixMilli(made)
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM course_tries `+same, of...).Scan(&n); err != nil {
			return err
		}
		if n >= MaxTries {
			return ErrManyTries
		}
		done, err := tx.ExecContext(ctx,
			`INSERT INTO course_tries (course, student, sheet, exercise, made, text) VALUES (?, ?, ?, ?, ?, ?)`,
			append(of, t.At.UnixMilli(), t.Text)...)
		if err != nil {
			return err
		}
		t.Number, err = done.LastInsertId()
		return err
	}))
}

// JudgeTry keeps what the judge has said of a try.
func (s *Store) JudgeTry(ctx context.Context, number int64, met bool) error {
	_, err := s.exec(ctx, `UPDATE course_tries SET met = ? WHERE number = ?`, met, number)
	return ofCourses(err)
}

// Tries lists the tries of a student, or with "" of all, by student, in the order of their arrival.
func (s *Store) Tries(ctx context.Context, course, student string) ([]Try, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT number, student, sheet, exercise, made, met, text FROM course_tries
		WHERE course = ?1 AND (?2 = '' OR student = ?2) ORDER BY student, made, number`, course, student)
	if err != nil {
		return nil, ofCourses(err)
	}
	defer rows.Close()
	var out []Try
	for rows.Next() {
		t := Try{Course: course}
		var made int64
		var met sql.NullBool
		if err := rows.Scan(&t.Number, &t.Student, &t.Sheet, &t.Exercise, &made, &met, &t.Text); err != nil {
			return nil, ofCourses(err)
		}
		t.At, t.Judged, t.Met = time.UnixMilli(made), met.Valid, met.Bool
		out = append(out, t)
	}
	return out, ofCourses(rows.Err())
}

// ForgetStudent forgets all that a student of a course has handed in, and says how much that was.
func (s *Store) ForgetStudent(ctx context.Context, course, student string) (tries int64, err error) {
	done, err := s.exec(ctx, `DELETE FROM course_tries WHERE course = ? AND student = ?`, course, student)
	if err != nil {
		return 0, ofCourses(err)
	}
	tries, err = done.RowsAffected()
	return tries, ofCourses(err)
}
