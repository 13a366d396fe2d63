import{a,b,c,d,e}from"./chunk-42RBNCAD.js";export{d as add,c as address,a as items,b as keep,e as show};
