import{a as e,b as t,c as m}from"./chunk-HVCSZOTI.js";import{D as o}from"./chunk-OTCPI45T.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
