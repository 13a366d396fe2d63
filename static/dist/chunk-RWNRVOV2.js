import{a as e,b as t,c as m}from"./chunk-TGQ2SXDF.js";import"./chunk-NN4EAOWZ.js";import{D as o}from"./chunk-WM2FHODA.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
