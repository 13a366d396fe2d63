import{a,b,c,d,e,f}from"./chunk-GM7PJ3BM.js";import"./chunk-PWTQQPLD.js";import"./chunk-LY2SVQG4.js";export{f as again,d as diagnostic,a as forceLinting,c as linting,b as list,e as mend};
