import{a,b}from"./chunk-BDM65DNX.js";export{a as last,b as remember};
