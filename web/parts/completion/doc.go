// Package completion lists the words that can be written in tests, models and programs, with a line of help for each:
// instructions and registers ([OfTests]), names and keywords of models ([OfModels]), functions of C programs
// ([OfPrograms]). The words come from the tables of the parsers. Completion on pages and in editors (web/api/language)
// has no other source.
//
// It imports packages of litmus and models, and web/parts/question: no page and no engine.
package completion
