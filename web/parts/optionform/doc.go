// Package optionform reads the options of solver.OptionTable from forms and from the JSON of the REST interface, and
// describes them as a schema. [SetAll] reads a form, [Options] and [Verify] are the JSON bodies, [Schema] describes one
// option, and [Changed] lists the options that differ from their defaults.
//
// It imports solver and web/server: no page and no engine.
package optionform
