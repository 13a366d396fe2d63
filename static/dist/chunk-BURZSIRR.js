import{a as e,b as t,c as m}from"./chunk-WRLA2S5O.js";import"./chunk-4PDWPFHH.js";import{E as o}from"./chunk-PWTQQPLD.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
