import{a,b}from"./chunk-J2G5W6CZ.js";export{a as activate,b as put};
