package armasm

// Codes are the condition codes as alternatives of a lower.Form, with their meaning.
const Codes = "<EQ=equal|NE=not equal|GE=greater or equal|GT=greater|LE=less or equal|LT=less" +
	"|HI=above, unsigned|HS=above or equal, unsigned|LO=below, unsigned|LS=below or equal, unsigned" +
	"|CS=carry|CC=no carry|MI=negative|PL=not negative|VS=overflow|VC=no overflow>"
