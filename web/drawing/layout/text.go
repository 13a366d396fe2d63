package layout

// advances are the widths of ASCII from the blank on, in thousandths of the size, in the pages' own typeface for
// text at the boldest that drawings have it, 600; a browser is asked whether they still are.
var advances = [...]int{
	251, 321, 523, 644, 650, 1004, 663, 326, 373, 373, 540, 673, 319, 465, 319, 379,
	660, 423, 623, 636, 666, 612, 640, 576, 640, 640, 319, 329, 673, 673, 673, 543,
	1000, 728, 659, 737, 722, 605, 588, 749, 746, 277, 580, 704, 565, 922, 759, 769,
	645, 773, 652, 650, 660, 736, 728, 1020, 720, 713, 652, 373, 379, 373, 481, 469,
	351, 574, 625, 583, 625, 591, 389, 625, 612, 261, 261, 570, 261, 900, 612, 609,
	625, 625, 397, 549, 353, 612, 587, 839, 569, 589, 566, 455, 358, 455, 673,
}

// Advance is how wide a letter of text is at size 1; what is not ASCII is taken to be wide.
func Advance(r rune) float64 {
	if i := int(r) - ' '; i >= 0 && i < len(advances) {
		return float64(advances[i]) / 1000
	}
	return 1
}
