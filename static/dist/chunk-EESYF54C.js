import{a}from"./chunk-H7LDV7LH.js";import"./chunk-34HP7S7D.js";import"./chunk-ZHRUOEML.js";import"./chunk-GMBQFFDN.js";import"./chunk-ENO54NPC.js";import"./chunk-PWTQQPLD.js";export{a as mount};
