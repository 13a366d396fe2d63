import{a}from"./chunk-OHPPUW2O.js";import"./chunk-3I2N7E6E.js";import"./chunk-6IYQ7ESX.js";export{a as activate};
