import{a as e,b as t,c as m}from"./chunk-ZIT5LRAP.js";import{D as o}from"./chunk-U6MD3HUM.js";var c=()=>[e(),o.of(t),m()];export{c as extension};
