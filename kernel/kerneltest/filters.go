package kerneltest

// Filters are programs that read arrays beyond their edges.
const Filters = `
def image[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> sum (build 3 (\q -> f[k, l, p, q] * a[l, i + p - 1, j + q - 1])))))))
def sums[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, c] = build [o, c] (\[k, l] ->
  sum (build n (\i -> sum (build m (\j -> a[l, i + 1, j] * exp (f[k, l, 1, 1] * a[l, i - 2, j - k]))))))
def made[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): (R[o, n, m], R) = let b = exp a in (build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> sum (build 3 (\q -> f[k, l, p, q] * b[l, i + p - 1, j + q - 1]))))))), sum (flat b))
def counts[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = let b = build [n, m] (\[i, j] -> floor (9 * a[0, i, j])) in
  build [o, n, m] (\[k, i, j] -> real (sum (build 3 (\p -> sum (build 3 (\q -> b[i + p - 1, j - q]))))))
def masked[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = let b = exp a in build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> sum (build 3 (\q -> if p <= i + 1 && i - p + 1 < n && 0 <= j - q && j - q < m then f[k, l, p, q] * b[l, i - p + 1, j - q] else 0)))))))
def far[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[o, n, m] = build [o, n, m] (\[k, i, j] ->
  sum (build c (\l -> sum (build 3 (\p -> f[k, l, p, 0] * a[l, i + 1000 * p, j])))))
def part[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[n, m] = build [n, m] (\[i, j] -> sum (build 3 (\p -> sum (build 3 (\q -> f[0, 0, p, q] * a[c - 2, i + p - 1, j + q - 1])))))
def steps[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[n, m] = fold (\s k -> build [n, m] (\[i, j] ->
  s[i, j] + sum (build 3 (\p -> sum (build 3 (\q -> real (p + q) * a[k, i + p - 1, j + q - 1] * a[k + 1, i - p, j])))))) (replicate [n, m] 0) (iota (c + 1))
def long[c, n, m, o](a: R[c, n, m], f: R[o, c, 3, 3]): R[n] = let b = f[0, 0, 0] in build n (\i -> sum (build 40 (\p -> b[p] * a[0, i + p - 20, 0])))
`
