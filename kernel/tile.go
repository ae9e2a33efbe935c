package kernel

type tile struct {
	lane, jam, fold *Loop
	rows            int
}

const unroll = 4

func chooseTile(nest []Stmt) *tile {
	return &tile{lane: chooseLane(nest, 2*lockstep), rows: 1}
}
