import{a}from"./chunk-H3OP3Y3Z.js";import"./chunk-HMGOWMH4.js";import"./chunk-EPUPXINO.js";export{a as mount};
