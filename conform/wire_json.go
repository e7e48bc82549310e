package conform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// encoding/json matches names without regard to case and takes the last of two:
// an envelope is taken apart here instead, to the letter, once it is known to
// be JSON.

// pick finds members of the JSON object in text by their exact names; what
// does not stand there is nil. A problem does not keep it from finding the
// others: a garbage line may still say whose it is.
func pick(text []byte, names ...string) (found []json.RawMessage, problem string) {
	found = make([]json.RawMessage, len(names))
	if !json.Valid(text) {
		return found, "not JSON"
	}
	var twice []int
	isObject := members(text, func(name string, value []byte) {
		switch i := slices.Index(names, name); {
		case i < 0:
		case found[i] != nil:
			twice = append(twice, i)
		default:
			found[i] = value
		}
	})
	switch {
	case !isObject:
		problem = "not an object"
	case !utf8.Valid(text):
		problem = notUTF8
	}
	for _, i := range twice {
		found[i], problem = nil, names[i]+" stands twice"
	}
	return found, problem
}

// members visits what stands in an object, in order. data is valid JSON.
func members(data []byte, visit func(name string, value []byte)) (isObject bool) {
	data = trimSpace(data)
	if data[0] != '{' {
		return false
	}
	data = trimSpace(data[1:])
	for data[0] != '}' {
		n := stringEnd(data)
		name, _ := unquote(data[:n])
		data = trimSpace(trimSpace(data[n:])[1:]) // the colon
		n = valueEnd(data)
		visit(name, data[:n])
		data = trimSpace(data[n:])
		if data[0] == ',' {
			data = trimSpace(data[1:])
		}
	}
	return true
}

// elements gives what stands in a list. data is valid JSON.
func elements(data []byte) (items [][]byte, isList bool) {
	data = trimSpace(data)
	if data[0] != '[' {
		return nil, false
	}
	data = trimSpace(data[1:])
	for data[0] != ']' {
		n := valueEnd(data)
		items = append(items, data[:n])
		data = trimSpace(data[n:])
		if data[0] == ',' {
			data = trimSpace(data[1:])
		}
	}
	return items, true
}

// valueEnd is the length of the value that data starts with.
func valueEnd(data []byte) int {
	switch data[0] {
	case '"':
		return stringEnd(data)
	case '{', '[':
		return nestEnd(data)
	}
	if n := bytes.IndexAny(data, ",}] \t\r\n"); n >= 0 {
		return n
	}
	return len(data)
}

func nestEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i += stringEnd(data[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(data)
}

func stringEnd(data []byte) int {
	i := 1
	for data[i] != '"' {
		if data[i] == '\\' {
			i++
		}
		i++
	}
	return i + 1
}

func trimSpace(data []byte) []byte {
	for len(data) > 0 && (data[0] == ' ' || data[0] == '\t' || data[0] == '\r' || data[0] == '\n') {
		data = data[1:]
	}
	return data
}

// unquote reads a JSON string; ok is false for anything else.
func unquote(raw []byte) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside), true
	}
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// integer reads an integer as the protocol writes them: no fraction, no
// exponent, no leading zero, below 2^53 in size.
func integer(raw []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	if len(digits) == 0 || len(digits) > 16 || digits[0] == '0' && len(raw) > 1 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil && -floor.MaxNumber <= n && n <= floor.MaxNumber
}
