import{a,b,c,d,e}from"./chunk-FEBTVP47.js";export{d as add,c as address,a as items,b as keep,e as show};
