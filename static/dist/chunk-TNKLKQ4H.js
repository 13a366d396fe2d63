import{a}from"./chunk-6LOXRO43.js";import"./chunk-VRRKTIAH.js";import"./chunk-3FLCZWES.js";export{a as mount};
