import{a}from"./chunk-KO6LHOOV.js";import"./chunk-EWVXXZ77.js";import"./chunk-P5GTCVNK.js";export{a as activate};
