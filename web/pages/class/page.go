// Package class is the pages of a class: the teacher's, the screen in front of all, and each student's.
package class

import (
	"golang.org/x/time/rate"

	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

type page struct {
	server    *server.Server
	questions *question.Service
	pictures  *picture.Pictures
	lessons   *lesson.Library // that can be taught

	hall      *class.Hall
	exhibits  evidence
	attempts  *attempts
	wrong     *server.Buckets          // codes of classes
	opening   *server.Buckets          // classes
	joining   map[bool]*server.Buckets // … by whether their teachers have opened them wide
	attending *server.Turns            // to follow a class
}

// TeachPath is what the addresses begin with that hold a teacher's secret.
const TeachPath = "/class/teach/"

// New returns the pages of the classes that somebody keeps.
func New(p *picture.Pictures, lessons *lesson.Library, keeper class.Keeper) server.Page {
	s := &page{
		server: p.Server, questions: p.Questions, pictures: p, lessons: lessons, hall: class.NewHall(keeper, p.Server.Clock), attempts: newAttempts(),
		wrong:   server.NewBuckets(wrongEach, server.WrongMost),
		opening: server.NewBuckets(rate.Every(server.OpenEvery), server.OpenMost),
		joining: map[bool]*server.Buckets{
			false: server.NewBuckets(rate.Every(server.JoinEvery), server.JoinMost), true: server.NewBuckets(rate.Every(server.WideEvery), class.MaxVoters),
		},
		attending: server.NewAttending(p.Server.Limits.Connections),
	}
	return server.Page{
		Nav: &server.NavEntry{Title: "Class", Path: "/class", Kind: "class"}, Mount: s.classPages, Secret: TeachPath,
		Costs: map[string]server.Cost{"POST /class/open": server.Keeps, "POST /class/deck": server.Keeps, "POST /class/{code}/vote": server.Votes},
	}
}
