var t="litmuscope.arch";function r(){try{return localStorage.getItem(t)??""}catch{return""}}function c(e){try{localStorage.setItem(t,e)}catch{}}export{r as a,c as b};
