import{a}from"./chunk-EANNSBGL.js";import"./chunk-EWVXXZ77.js";import"./chunk-Z6KXKAJY.js";export{a as activate};
