// Package formfields renders the fields of a form that asks a question: models to tick ([Ticks]), a visitor's own
// models ([OwnModelBox]), engines and limits ([LimitsBox]). [ViewModels], [ViewEngines] and [ViewOption] make their
// views.
//
// It imports solver, models and other parts: no page and no engine.
package formfields
