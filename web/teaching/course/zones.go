//go:build !js

package course

import _ "time/tzdata" // zones have the same names wherever the server runs; in a browser there are no courses
