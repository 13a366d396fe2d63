import{a,b,c,d,e,f}from"./chunk-DXJ2UMA3.js";export{e as brief,a as carries,c as decode,b as encode,f as fields,d as viewOf};
