import{a,b,c,d,e}from"./chunk-EO5Z7EDN.js";import"./chunk-PWTQQPLD.js";export{e as again,d as diagnostic,a as forceLinting,c as linting,b as list};
