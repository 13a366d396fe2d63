<<<<<<<< HEAD:static/dist/chunk-UHEXVGHD.js
import{a}from"./chunk-DARBBGLC.js";import"./chunk-KDRM6MKR.js";import"./chunk-FBXEYWJ3.js";import"./chunk-NJE4EKKF.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";import"./chunk-LY2SVQG4.js";export{a as mount};
========
import{a}from"./chunk-5RQOGS6D.js";import"./chunk-KDRM6MKR.js";import"./chunk-FBXEYWJ3.js";import"./chunk-NJE4EKKF.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";import"./chunk-LY2SVQG4.js";export{a as mount};
>>>>>>>> 65c863b5 (web: sticky heads on phones, larger steps, models on the last architecture):static/dist/chunk-ES2TD3ZT.js
