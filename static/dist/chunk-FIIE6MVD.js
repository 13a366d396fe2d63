import{b as C}from"./chunk-GEAGC77E.js";import{d as k}from"./chunk-Z6KXKAJY.js";import{a as l}from"./chunk-LY2SVQG4.js";var $=`/* The share menu. */

#share-menu {
  width: min(30rem, 94vw);
  padding: 0.75rem 1rem;
  border: 1px solid var(--edge);
  border-radius: var(--round-l);
  background: var(--paper);
  color: var(--ink);
  box-shadow: var(--above);
}

#share-menu .kinds {
  display: flex;
  flex-wrap: wrap;
  gap: 0.35rem;
  margin-bottom: 0.6rem;
}

#share-menu h2 {
  flex-basis: 100%;
  color: var(--soft);
  font-size: var(--text-m);
  font-weight: 600;
}

#share-menu .kinds button {
  min-height: 1.9rem;
  padding: 0 0.6rem;
  font-size: var(--text-m);
}

#share-menu [aria-pressed="true"] {
  border-color: var(--accent);
  background: var(--accent-wash);
}

#share-menu textarea {
  width: 100%;
  margin-top: 0.35rem;
  padding: 0.4rem 0.5rem;
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--ground);
  font: var(--text-s)/1.45 var(--mono);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  resize: vertical;
}

#share-menu textarea.lines {
  white-space: pre;
  overflow-wrap: normal;
}

#share-menu .foot {
  text-align: right;
}
`;var T=new CSSStyleSheet;T.replaceSync($);document.adoptedStyleSheets.push(T);var N={link:L,short:q,embed:B};async function P(e,t){if(t==="source")return e.state().source;let n=e.fields();return n.set("origin",location.origin),t==="markdown"&&n.set("link",await L(e)),(await k(l(`${e.path}/copy?format=${t}`),n)).text()}async function L(e){return location.origin+l(e.path||"/")+await C(e.state())}async function q(e){let t=e.fields();t.set("view",JSON.stringify(e.state().view));let{url:n}=await(await k(l(`${e.path}/links`),t)).json();return location.origin+l(n)}async function B(e){let t;try{t=location.origin+l(`/embed${await C(e.state())}`)}catch{t=(await q(e)).replace("/t/","/embed/t/")}let n=(e.name()||"A litmus test").replace(/[&<>"]/g,u=>`&#${u.charCodeAt(0)};`);return`<iframe src="${t}" title="${n}, in litmuscope" width="100%" height="440" loading="lazy"></iframe>`}async function M(e,t){let n=e.dataset.share,u=await fetch(l(`${n}/copy`));if(!u.ok)throw new Error("Cannot load the share menu. Try again.");let i=await u.json(),f={...t,path:n},o=document.createElement("div");o.id="share-menu",o.className="beside",o.popover="auto",o.setAttribute("role","dialog"),o.setAttribute("aria-label","Share");let m=document.createElement("p");m.className="hint";let r=document.createElement("textarea");r.readOnly=!0,r.hidden=!0,r.rows=5,r.spellcheck=!1;let w=0;async function z({name:c,help:h,kind:a},v){let d=++w;for(let y of o.querySelectorAll("[aria-pressed]"))y.setAttribute("aria-pressed",String(y===v));m.textContent=h,r.setAttribute("aria-label",c);let s=N[a]?N[a](f):P(f,a),j=I(s),x;try{x=await s}catch(y){if(d!==w)return;r.hidden=!0,m.textContent=y.message,f.say(y.message);return}if(d!==w)return;r.value=x,r.classList.toggle("lines",x.includes(`
`)),r.hidden=!1;let E=await j||J(r,v);if(d!==w)return;let A=E?"Copied.":"This browser does not let pages copy. The text is selected: copy it yourself.";E||(r.focus(),r.select()),m.textContent=`${A} ${h}`,f.say(`${c}: ${A}`)}let S=(c,h)=>{let a=document.createElement("div");a.className="kinds",a.setAttribute("role","group");let v=document.createElement("h2");v.textContent=c,a.setAttribute("aria-label",c),a.append(v);for(let d of h){let s=document.createElement("button");s.type="button",s.textContent=d.name,s.title=d.help,s.setAttribute("aria-pressed","false"),s.addEventListener("click",()=>z(d,s)),a.append(s)}return a},p=document.createElement("button");p.type="button",p.className="quiet",p.textContent="Teach this",p.title="Ask a class what this test can do. Students vote on their phones.",p.addEventListener("click",()=>H(f));let b=document.createElement("button");b.type="button",b.className="quiet",b.textContent="Close",b.addEventListener("click",()=>o.hidePopover());let g=document.createElement("p");return g.className="foot",g.append(...i.teach?[p]:[],b),o.append(S("Link to this view",i.links),S("Copy as",i.copies),m,r,g),o.addEventListener("toggle",c=>{if(e.setAttribute("aria-expanded",String(c.newState==="open")),c.newState==="open")o.querySelector("button").focus();else{w++,r.hidden=!0,r.value="",m.textContent="";for(let h of o.querySelectorAll("[aria-pressed]"))h.setAttribute("aria-pressed","false")}}),e.after(o),e.setAttribute("popovertarget",o.id),{open:()=>o.showPopover({source:e})}}function H(e){let t=document.createElement("form");t.method="post",t.action="/class/compose",t.target="_blank";for(let[n,u]of e.fields()){let i=document.createElement("input");i.type="hidden",i.name=n,i.value=u,t.append(i)}document.body.append(t),t.submit(),t.remove()}async function I(e){try{let t=e.then(n=>new Blob([n],{type:"text/plain"}));return t.catch(()=>{}),await navigator.clipboard.write([new ClipboardItem({"text/plain":t})]),!0}catch{return e.then(t=>navigator.clipboard.writeText(t)).then(()=>!0,()=>!1)}}function J(e,t){e.focus(),e.select();let n=document.execCommand("copy");return n&&t.focus(),n}export{M as mount};
