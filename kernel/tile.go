package kernel

type tile struct {
	lane, jam, fold *Loop
	rows            int
}

const unroll = 4

func chooseTile(k *Kernel) *tile {
	return &tile{lane: chooseLane(k, 2*lockstep), rows: 1}
}
