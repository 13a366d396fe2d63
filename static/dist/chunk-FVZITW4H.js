import{a,b,c,d}from"./chunk-RXMQQ5A3.js";import"./chunk-PWTQQPLD.js";export{d as diagnostic,a as forceLinting,c as linting,b as list};
