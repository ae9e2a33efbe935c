package diag

import (
	"fmt"
	"regexp"
)

// unexpected is what package json says of a character.
var unexpected = regexp.MustCompile(`^invalid character ('.+?') (.*)$`)

// JSON is the message for an error of package json in the words of other messages.
func JSON(err error) string {
	m := unexpected.FindStringSubmatch(err.Error())
	if m == nil {
		return err.Error()
	}
	expected := map[string]string{
		"looking for beginning of value":             "a value",
		"looking for beginning of object key string": "a name in quotes",
		"after object key":                           "a colon",
		"after object key:value pair":                "a comma or }",
		"after array element":                        "a comma or ]",
		"after top-level value":                      "the end of the text",
	}[m[2]]
	if expected == "" {
		return fmt.Sprintf("%s does not stand here in JSON", m[1])
	}
	return fmt.Sprintf("expected %s, found %s", expected, m[1])
}
