-- What the matrix of a suite is read from, without the answers beside it.
CREATE INDEX suite_rows_matrix ON suite_rows (suite, test, model, code, ms);
CREATE INDEX suite_rows_causes ON suite_rows (suite, cause, code, test) WHERE cause IS NOT NULL;
