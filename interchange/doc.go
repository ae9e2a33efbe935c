// Package interchange reads and writes e-graphs in the JSON format of
// egraph-serialize, which egg, egglog and the extraction gym use, and extracts
// terms from them. docs/languages.md describes the format and what egad adds to
// it for slots.
package interchange
