// Package geometry computes with points, boxes and curves. [Cubic] is a curve, [Rect] a box; [Polyline] makes a path
// around given points, and a [Crowd] finds the curves, among many, that pass a place. Lengths are pixels of the
// drawing.
//
// It knows nothing of what is drawn, and imports nothing of litmuscope.
package geometry
