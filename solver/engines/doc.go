// Package engines is the table of engines: what each is called, which models and
// options it goes with, and which one settles what it leaves open. It admits tasks
// and answers them, in this process:
//
//	if err := engines.Admit(task); err != nil { … } // words for whoever asks
//	result, err := engines.Local{}.Run(ctx, task)
//
// Every door (command line, REST, page, child processes) comes through [Admit], so
// that what one refuses all refuse. The package may import every engine, what they share, the dialects
// and the models.
package engines
