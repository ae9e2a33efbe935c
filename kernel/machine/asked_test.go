package machine

import (
	"context"
	"sync/atomic"

	"egad/kernel/native"
)

var asked atomic.Int64

func init() {
	ask := hostFunctions[native.HostAsks]
	hostFunctions[native.HostAsks] = func(ctx context.Context, stack []uint64) {
		asked.Add(1)
		ask(ctx, stack)
	}
}

// Asked is how often machine code has asked whether to end.
func Asked() int64 { return asked.Load() }
