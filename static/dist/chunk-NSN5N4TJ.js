import{a}from"./chunk-L57MCSSU.js";import"./chunk-ZXZH4DJR.js";import"./chunk-ZHRUOEML.js";import"./chunk-OTCPI45T.js";export{a as mount};
