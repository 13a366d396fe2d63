import{a}from"./chunk-5QJR3CMQ.js";import"./chunk-34HP7S7D.js";import"./chunk-ZHRUOEML.js";import"./chunk-GMBQFFDN.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";export{a as mount};
