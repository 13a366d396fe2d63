import{a,b}from"./chunk-H65H7LSE.js";import"./chunk-LY2SVQG4.js";export{a as activate,b as put};
