import{a}from"./chunk-QMHJ3PFG.js";import"./chunk-IOQ3VZYR.js";import"./chunk-ZHRUOEML.js";import"./chunk-4PDWPFHH.js";import"./chunk-PWTQQPLD.js";export{a as mount};
