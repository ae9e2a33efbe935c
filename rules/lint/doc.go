// Package lint finds what of rules cannot be meant: rules that are never applied, as their
// conditions never hold or another rule matches wherever they do; rules that say nothing, or what
// another one says; sets, schedules and grammars that nothing runs.
package lint
