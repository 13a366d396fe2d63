var e=!matchMedia("(pointer: coarse)").matches;export{e as a};
