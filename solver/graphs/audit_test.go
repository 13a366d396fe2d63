package graphs

func init() { audited, MostPlaces = true, 8 }
