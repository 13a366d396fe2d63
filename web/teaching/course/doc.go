// Package course reads and grades courses: folders that lecturers keep in git, with weeks of lessons and graded
// assignments.
//
//	course.yaml     title, term and weeks: lessons, assignments, due dates and points
//	01-fences.md    the sheet of an assignment, in the format of lessons; students hand in its exercises
//	roster.csv      who may hand in: one name and code a line
//	lessons         the lecturer's own lessons
//
// [Read] reads a [Course] and reports everything that can be decided by reading, as a litmus.ErrorList; [CheckClaims]
// checks with the engines what needs them; [Check] does both for a folder. A [Folder] follows a course that changes.
// Assignment.Mark computes the points of a student's tries.
//
// It imports litmus, solver and web/teaching/lesson, and writes nothing except the codes that [WriteCodes] makes.
package course
