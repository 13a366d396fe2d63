module litmuscope

go 1.26
