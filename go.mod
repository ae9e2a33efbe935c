module egad

go 1.26.0
