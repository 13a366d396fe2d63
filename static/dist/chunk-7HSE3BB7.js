<<<<<<<< HEAD:static/dist/chunk-7HSE3BB7.js
import{a}from"./chunk-XMQFM3W6.js";import"./chunk-KDRM6MKR.js";import"./chunk-NJE4EKKF.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";import"./chunk-FBXEYWJ3.js";import"./chunk-LY2SVQG4.js";export{a as mount};
========
import{a}from"./chunk-JXH5KXJP.js";import"./chunk-KDRM6MKR.js";import"./chunk-NJE4EKKF.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";import"./chunk-FBXEYWJ3.js";import"./chunk-LY2SVQG4.js";export{a as mount};
>>>>>>>> 9658d2cd (web: hide old results everywhere; choose saved models for suites):static/dist/chunk-4FJEFEUJ.js
