import{a,b,c,d,e}from"./chunk-6DQM45JB.js";import"./chunk-LY2SVQG4.js";export{d as add,c as address,a as items,b as keep,e as show};
