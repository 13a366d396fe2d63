package graphs

var steps, asked int
