import{a,b}from"./chunk-FH5KBIAY.js";import"./chunk-7F3Z6KST.js";import"./chunk-FQFBEKSA.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";export{b as apart,a as keys};
