import{a}from"./chunk-GTMPBFHV.js";import"./chunk-YLT5CLXJ.js";import"./chunk-P5GTCVNK.js";export{a as activate};
