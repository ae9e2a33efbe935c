package gemm

// pack copies numbers of lines, by groups of lines: of each group first the first numbers of its lines, then the second
// ones, and so on. The last group is filled up with zeros.
func pack(to []float64, group int, from []float64, lines, numbers []int, scale float64) {
	for first := 0; first < len(lines); first += group {
		part := to[first*len(numbers) : (first+group)*len(numbers)]
		some := lines[first:min(first+group, len(lines))]
		if len(some) < group {
			clear(part)
		}
		for q := 0; q < len(some); {
			switch n := run(some[q:]); {
			case n >= shortRun || n == len(some):
				packBeside(part[q:], group, from[some[q]:], n, numbers, scale)
				q += n
			case q+4 <= len(some):
				packFour(part[q:], group, from, [4]int(some[q:]), numbers, scale)
				q += 4
			default:
				for p, at := range numbers {
					part[q+p*group] = scale * from[some[q]+at]
				}
				q++
			}
		}
	}
}

// shortRun is how many lines side by side are not copied as a run.
const shortRun = 4

// packBeside packs n lines that lie side by side.
func packBeside(to []float64, group int, from []float64, n int, numbers []int, scale float64) {
	for p, at := range numbers {
		row, line := to[p*group:][:n], from[at:][:n]
		switch {
		case scale != 1:
			for q, x := range line {
				row[q] = scale * x
			}
		case n == 8: // which needs no call, as the other usual ones
			*(*[8]float64)(row) = [8]float64(line)
		case n == 24:
			*(*[24]float64)(row) = [24]float64(line)
		default:
			copy(row, line)
		}
	}
}

// packFour packs four lines, of which neighbours are read together.
func packFour(to []float64, group int, from []float64, lines [4]int, numbers []int, scale float64) {
	for p := 0; p < len(numbers); {
		n := run(numbers[p:]) &^ 3
		if n == 0 {
			row := to[p*group:][:4]
			for q, line := range lines {
				row[q] = scale * from[line+numbers[p]]
			}
			p++
			continue
		}
		at := func(line int) *float64 { return &from[line+numbers[p] : line+numbers[p]+n][0] }
		_ = to[(p+n-1)*group+3]
		interleave4(n, group, scale, at(lines[0]), at(lines[1]), at(lines[2]), at(lines[3]), &to[p*group])
		p += n
	}
}
