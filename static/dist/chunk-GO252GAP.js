import{a}from"./chunk-HKGYNNRL.js";import"./chunk-MCWVY6JT.js";import"./chunk-EPUPXINO.js";export{a as mount};
