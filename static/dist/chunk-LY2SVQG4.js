var t=document.documentElement.dataset.base??"/",o=e=>t+e.slice(1);export{o as a};
