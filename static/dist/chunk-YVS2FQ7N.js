import{a as e,b as t,c as m}from"./chunk-SUMYMH47.js";import"./chunk-OFDPWBSL.js";import{D as o}from"./chunk-VRVRBLX5.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
