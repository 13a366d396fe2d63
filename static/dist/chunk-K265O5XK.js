import{a}from"./chunk-SLZDFVJM.js";import"./chunk-XATTPTQX.js";import"./chunk-ZHRUOEML.js";import"./chunk-OTCPI45T.js";export{a as mount};
