import{a as e,b as t,c as m}from"./chunk-CDS5D2NX.js";import{D as o}from"./chunk-7CBSEJA3.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
