package main

import (
	"strconv"
	"strings"
)

// readerFamilies are texts and data that are large, deep or broken.
var readerFamilies = []family{
	{"a literal of many numbers", 100_000, 1_000_000, func(c *call, n int) {
		c.run("check", c.text("f.egad", word("def f(x: R): R = x * sum ["), repeat(n, "#.5, "), word("1]\n")))
	}, ""},
	{"a literal of many numbers, run", 100_000, 0, func(c *call, n int) {
		c.run("run", c.text("f.egad", word("def f(x: R): R = x * sum ["), repeat(n, "#.5, "), word("1]\n")), "--in", "x=1")
	}, ""},
	{"a JSON file of many numbers", 1_000_000, 10_000_000, func(c *call, n int) {
		c.text("x.json", word(`{"x": [`), repeat(n, "#.5, "), word("1]}"))
		c.run("run", c.text("f.egad", word("def f[n](x: R[n]): R = sum (x * x)\n")), "--in", "x.json")
	}, ""},
	{"an array of JSON that is very deep", 1_000_000, 0, func(c *call, n int) {
		c.text("x.json", repeat(n, "["), repeat(n, "]"))
		c.run("run", c.text("f.egad", word("def f[n](x: R[n]): R = sum (x * x)\n")), "--in", "x=x.json")
	}, "the nesting is deeper than 16"},
	{"array literals within each other, shared", 20, 200, func(c *call, n int) {
		c.run("run", c.text("f.egad", word("def f(x: R): R = let a0 = x in "), repeat(n, "let a#+1 = [a#, a#] in "), word("a"+strconv.Itoa(n)+strings.Repeat("[0]", n)+"\n")), "--in", "x=1")
	}, ""},
}
