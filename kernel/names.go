package kernel

// Names are given to what passes make.
type Names interface {
	Fresh() string           // for an array that has none
	Like(name string) string // for one that takes the place of another
	Loops(nest []*Loop)      // to loops that have none
}
