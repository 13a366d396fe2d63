//go:build !linux

package pool

var confinements []confinement
