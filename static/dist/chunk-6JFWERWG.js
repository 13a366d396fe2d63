import{a as e,b as t,c as m}from"./chunk-JYZGL2KN.js";import"./chunk-PQECO5F2.js";import{D as o}from"./chunk-3FLCZWES.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
