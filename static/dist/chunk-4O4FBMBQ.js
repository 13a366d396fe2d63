import{a,b,c,d,e}from"./chunk-KHNLSMPM.js";import"./chunk-LY2SVQG4.js";export{d as add,c as address,a as items,b as keep,e as show};
