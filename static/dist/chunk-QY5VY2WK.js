import{a}from"./chunk-YJAEBHJL.js";import"./chunk-5UOO2QJZ.js";import"./chunk-ZHRUOEML.js";import"./chunk-4PDWPFHH.js";import"./chunk-PWTQQPLD.js";export{a as mount};
