import{a}from"./chunk-K7CULTWR.js";import"./chunk-LNWPUMQ6.js";import"./chunk-VRVRBLX5.js";export{a as mount};
