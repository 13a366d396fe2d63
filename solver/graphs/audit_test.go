package graphs

func init() { audited, mostPlaces = true, 8 }
