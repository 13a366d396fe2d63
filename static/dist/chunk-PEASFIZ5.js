import{a as e,b as t,c as m}from"./chunk-HJHOGHFJ.js";import{D as o}from"./chunk-GNZCYWV4.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
