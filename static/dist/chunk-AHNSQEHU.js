import{a,b}from"./chunk-VHUFFKZI.js";import"./chunk-LY2SVQG4.js";export{a as activate,b as put};
