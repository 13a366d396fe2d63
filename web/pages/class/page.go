// Package class serves the pages of a class: the teacher's, the projector's and each student's. They show the questions
// of web/teaching/class, collect votes and edits, and stream changes as events.
// A teacher can ask the students' devices to run a test; their pages report counts, of which the pages show the sum.
// Edits are judged by web/parts/judge. [New] makes the pages over a class.Keeper.
//
// No student's page or projector's page contains an answer before the teacher reveals it (leak_test.go).
//
// It imports web/server, web/parts, web/teaching and store: no other page.
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
	lessons   *lesson.Library // the lessons that teachers can use

	hall      *class.Hall
	cache     pictureCache
	tests     assembledTests
	attempts  *attempts
	wrong     *server.Buckets          // wrong class codes, by address
	opening   *server.Buckets          // opened classes, by address
	joining   map[bool]*server.Buckets // voters that join, by address; the key is Wide
	reporting *server.Buckets          // reports of devices, by class and voter
	attending *server.Turns            // event streams
}

// TeachPath is the prefix of the addresses that contain a teacher's secret.
const TeachPath = "/class/teach/"

// New returns the class pages. keeper stores the classes.
func New(p *picture.Pictures, lessons *lesson.Library, keeper class.Keeper) server.Page {
	s := &page{
		server: p.Server, questions: p.Questions, pictures: p, lessons: lessons,
		hall: class.NewHall(keeper, p.Server.Clock), attempts: newAttempts(),
		wrong:   server.NewBuckets(wrongEach, server.WrongMost),
		opening: server.NewBuckets(rate.Every(OpenEvery), OpenMost),
		joining: map[bool]*server.Buckets{
			false: server.NewBuckets(rate.Every(JoinEvery), JoinMost),
			true:  server.NewBuckets(rate.Every(WideEvery), class.MaxVoters),
		},
		reporting: server.NewBuckets(rate.Every(reportEvery), reportMost),
		attending: server.NewAttending(p.Server.Limits.Connections),
	}
	return server.Page{
		Nav:   &server.NavEntry{Group: server.Teach, Title: "Class", Path: "/class", Kind: "class"},
		Mount: s.classPages, Secret: TeachPath,
		Costs: map[string]server.Cost{
			"POST /class/open": server.Keeps, "POST /class/deck": server.Keeps,
			"POST /class/{code}/vote": server.Votes, "POST /class/{code}/report": server.Votes,
		},
		Faults: faults,
	}
}
