// Package classroom is the pages of a class: the teacher's, the screen in front of all, and each student's.
package classroom

import (
	"golang.org/x/time/rate"

	"litmuscope/web/parts/picture"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

type room struct {
	*picture.Studio
	lessons *lesson.Library // that can be taught

	hall      *class.Hall
	exhibits  evidence
	attempts  *attempts
	wrong     *shell.Buckets          // codes of classes
	opening   *shell.Buckets          // classes
	joining   map[bool]*shell.Buckets // … by whether their teachers have opened them wide
	attending *shell.Turns            // to follow a class
}

// TeachPath is what the addresses begin with that hold a teacher's secret.
const TeachPath = "/class/teach/"

// Room is the pages of the classes that somebody keeps.
func Room(p *picture.Studio, lessons *lesson.Library, keeper class.Keeper) shell.Room {
	s := &room{
		Studio: p, lessons: lessons, hall: class.NewHall(keeper, p.Clock), attempts: newAttempts(),
		wrong:   shell.NewBuckets(wrongEach, shell.WrongMost),
		opening: shell.NewBuckets(rate.Every(shell.OpenEvery), shell.OpenMost),
		joining: map[bool]*shell.Buckets{
			false: shell.NewBuckets(rate.Every(shell.JoinEvery), shell.JoinMost), true: shell.NewBuckets(rate.Every(shell.WideEvery), class.MaxVoters),
		},
		attending: shell.NewAttending(p.Limits.Connections),
	}
	return shell.Room{
		Page: &shell.Page{Title: "Class", Path: "/class", Kind: "class"}, Mount: s.classPages, Secret: TeachPath,
		Costs: map[string]shell.Cost{"POST /class/open": shell.Keeps, "POST /class/deck": shell.Keeps, "POST /class/{code}/vote": shell.Votes},
	}
}
