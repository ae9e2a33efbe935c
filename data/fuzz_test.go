package data

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/module"
	"egad/term/size"
	"egad/term/types"
)

// fuzzTypes are types to give to whatever was read.
func fuzzTypes() []*types.Type {
	m, n := size.Var("m"), size.Var("n")
	return []*types.Type{
		types.ArrayOf(types.R, m, n), types.ArrayOf(types.I, n), types.ArrayOf(types.B), types.ArrayOf(types.R, m.Add(n)),
		types.TupleOf(types.ArrayOf(types.R, n), types.TupleOf(types.ArrayOf(types.I), types.ArrayOf(types.B, m))),
	}
}

// bindAll binds inputs at several types and prints what comes of it.
func bindAll(in *Inputs) {
	types := fuzzTypes()
	for first := range types {
		info := module.DefInfo{Name: "f", Sizes: []string{"m", "n"}}
		for i, name := range in.Names() {
			info.Params = append(info.Params, term.Input{Name: name, Type: types[(first+i)%len(types)]})
		}
		_, values, err := Bind(info, in, map[string]int64{"m": 1})
		if err != nil {
			_ = err.Error()
		}
		for name, v := range values {
			_ = WriteJSON(io.Discard, []Result{{Name: name, Value: v}})
		}
	}
}

// FuzzJSON reads any text as JSON; what is accepted is what encoding/json makes
// of it, and what is refused has a reason.
func FuzzJSON(f *testing.F) {
	for _, c := range messageCases {
		for _, file := range c.files {
			_, text, _ := strings.Cut(file, "\n")
			f.Add(text)
		}
	}
	for _, s := range []string{
		`{"x": [[1, 2.5e-3], [-0, 1E+2]], "p": [1, [[2, 3], true]], "s": ["NaN", "Infinity", "-Infinity"]}`,
		`{"a": [9007199254740993, 0.1], "e": [], "ee": [[], []], "é\n\u00e9\ud83d": [[[1]], 2]}`,
		`{"p": {"1": {"0": 2}, "0": [1, 2]}, "s": {"inl": {"inr": true}}, "x": {"0": 1, "2": 3}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := ReadJSON(&diag.Source{Name: "fuzz.json", Text: text})
		var want any
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		valid := json.Valid([]byte(text)) && dec.Decode(&want) == nil
		if err != nil {
			msg := err.Error()
			if obj, ok := want.(map[string]any); ok && valid && !strings.Contains(msg, "is given twice") {
				for _, v := range obj {
					ok = ok && readable(v, 0)
				}
				if ok {
					t.Fatalf("%q is refused: %s", text, msg)
				}
			}
			return
		}
		if !valid {
			t.Fatalf("%q is accepted, and is not JSON", text)
		}
		obj := want.(map[string]any)
		if len(obj) != len(in.Names()) {
			t.Fatalf("%q has names %q", text, in.Names())
		}
		for _, name := range in.Names() {
			if !agrees(in.Get(name).val, obj[name]) {
				t.Fatalf("%q: %q is %s, want %v", text, name, in.Get(name), obj[name])
			}
		}
		bindAll(in)
	})
}

// readable reports whether a value that encoding/json has read is an input.
func readable(v any, depth int) bool {
	switch v := v.(type) {
	case json.Number:
		_, err := strconv.ParseFloat(string(v), 64)
		return err == nil
	case string:
		return v == "NaN" || v == "Infinity" || v == "-Infinity"
	case bool:
		return true
	case []any:
		for _, item := range v {
			if !readable(item, depth+1) {
				return false
			}
		}
		return depth < MaxDepth
	}
	return false
}

// agrees compares a value with what encoding/json has read.
func agrees(n node, v any) bool {
	switch v := v.(type) {
	case json.Number:
		want, err := strconv.ParseFloat(string(v), 64)
		got := n.nums.real(n.from)
		if i, exact := n.nums.integer(n.from); exact {
			if w, err := strconv.ParseInt(string(v), 10, 64); err == nil && w != i {
				return false
			}
		}
		return err == nil && n.kind == numeric && !n.isList() && math.Float64bits(got) == math.Float64bits(want)
	case string:
		return n.kind == numeric && !n.isList()
	case bool:
		i, _ := n.nums.integer(n.from)
		return n.kind == truth && !n.isList() && (i == 1) == v
	case []any:
		if !n.isList() || n.count() != len(v) {
			return false
		}
		for i, item := range n.items() {
			if !agrees(item, v[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		sides := map[kind]string{left: "inl", right: "inr"}
		if side, ok := sides[n.kind]; ok {
			return len(v) == 1 && agrees(n.parts[0], v[side])
		}
		if n.kind != object || n.count() != len(v) {
			return false
		}
		for i, item := range n.items() {
			if !agrees(item, v[strconv.Itoa(i)]) {
				return false
			}
		}
		return true
	}
	return false
}

// FuzzNPY reads any bytes as a .npy file.
func FuzzNPY(f *testing.F) {
	f.Add(npyFile("<f8", "False", "(2,)", little, []float64{0.5, 2}))
	f.Add(npyFile(">f4", "True", "(2, 1)", big, []float32{0.5, 2}))
	f.Add(npyFile("|b1", "False", "()", little, []bool{true}))
	f.Add(npyFile("<u8", "False", "(1, 2)", little, []uint64{1, math.MaxUint64}))
	f.Add(npyFile("<i2", "True", "(0, 9999999999)", little, []int16{}))
	f.Add(npyFile("<U3", "False", "(1,)", little, []uint32{65, 66, 67}))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr': "))
	f.Fuzz(func(t *testing.T, file []byte) {
		raw, err := new(Reader).decodeNPY("fuzz.npy", bytes.NewReader(file), int64(len(file)))
		if err != nil {
			if raw != nil || !strings.HasPrefix(err.Error(), "fuzz.npy: ") {
				t.Fatalf("%v with %v", raw, err)
			}
			return
		}
		in := &Inputs{}
		if err := in.Add("x", raw); err != nil {
			t.Fatal(err)
		}
		bindAll(in)
	})
}

// FuzzCSV reads any text as a table.
func FuzzCSV(f *testing.F) {
	for _, c := range messageCases {
		for _, file := range c.files {
			name, text, _ := strings.Cut(file, "\n")
			if strings.HasSuffix(name, ".csv") {
				f.Add(text)
			}
		}
	}
	f.Add("# a comment\nwidth, height\n\n1, -2.5\n.5,+1e2\n3.,nan\n")
	f.Add("9007199254740993,\"2\"\r\ninf,-Infinity\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		raw, err := new(Reader).csv(&diag.Source{Name: "fuzz.csv", Text: text}, MaxElements)
		if err != nil {
			if raw != nil || !strings.HasPrefix(err.Error(), "fuzz.csv:") {
				t.Fatalf("%v with %v", raw, err)
			}
			return
		}
		in := &Inputs{}
		if err := in.Add("x", raw); err != nil {
			t.Fatal(err)
		}
		bindAll(in)
	})
}
