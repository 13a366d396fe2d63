import{a as e,b as t,c as m}from"./chunk-AUZCCZOB.js";import"./chunk-AGNAV3JL.js";import{D as o}from"./chunk-EPUPXINO.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
