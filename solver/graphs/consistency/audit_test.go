package consistency

func init() { Audit = true }
