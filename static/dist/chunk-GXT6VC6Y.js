import{a,b,c,d,e,f}from"./chunk-RL5MC6UT.js";import"./chunk-PWTQQPLD.js";export{f as again,d as diagnostic,a as forceLinting,c as linting,b as list,e as mend};
