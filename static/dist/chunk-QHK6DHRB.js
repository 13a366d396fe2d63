import{a}from"./chunk-PRYR3FZ2.js";import"./chunk-HK57IF6E.js";import"./chunk-ZHRUOEML.js";import"./chunk-U6MD3HUM.js";export{a as mount};
