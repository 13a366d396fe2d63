import{a}from"./chunk-SUPE5OC6.js";export{a as activate};
