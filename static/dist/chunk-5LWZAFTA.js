import{a}from"./chunk-QXCG7SGY.js";import"./chunk-AZPKLS3J.js";import"./chunk-WM2FHODA.js";export{a as mount};
