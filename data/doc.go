// Package data reads the inputs of a program from files and writes its results.
//
// An input is read as a [Raw] value, whose type is not known yet, from JSON
// ([ReadJSON], [ReadJSONValue]), NumPy ([ReadNPY]) or CSV ([ReadCSV]). [Bind]
// then gives raw values the types of a definition's parameters, infers the
// definition's sizes from them, and reports what does not fit. [WriteJSON]
// writes results in the form that [ReadJSON] reads.
//
// In JSON a scalar is a number, true or false, an array is nested lists, and a
// tuple is a list with one entry per component. JSON has no NaN and no
// infinities: they are the strings "NaN", "Infinity" and "-Infinity".
package data
