package bpf

import "litmuscope/litmus/lower"

// features are instructions of BPF (RFC 9669) that the dialect does not support, by the feature that they need. The
// patterns match whole lines.
var features = []lower.Feature{
	{Why: "there are no functions to call", Names: `call\s.+ callx\s.+`},
	{Why: "there are no maps and other objects of the program loader", Names: `r\d+\s*=\s*map.+`},
	{Why: "there are no packets", Names: `r\d+\s*=\s*\*\(u\d+\s*\*\)skb\[.+`},
	{Why: "bytes are not swapped", Names: `[rw]\d+\s*=\s*([bl]e|bswap)(16|32|64)\s.+`},
	{Why: "there are no address spaces", Names: `r\d+\s*=\s*addr_space_cast\(.+`},
}
