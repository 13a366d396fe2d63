import{a}from"./chunk-VNCEATD4.js";import"./chunk-EWVXXZ77.js";import"./chunk-6IYQ7ESX.js";export{a as activate};
