
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const body = document.body, strip = $("strip"), here = $("here"), input = $("search"), hits = $("hits"), fold = $("fold");
  const messages = Array.from(document.querySelectorAll(".msg"));
  const findings = Array.from(document.querySelectorAll(".finding[id]"));
  const radios = Array.from(document.querySelectorAll("input[name=view]"));
  const shown = (message) => message.dataset.in.includes(body.dataset.view);

  // ---------------------------------------------------------------- views
  function setView(letter) {
    const radio = radios.find((r) => r.value === letter);
    if (!radio) return;
    const anchor = topmost();
    radio.checked = true;
    body.dataset.view = letter;
    $("meaning").textContent = radio.closest("label").title;
    $("none").hidden = messages.some(shown);
    if (anchor > 0) {
      let at = anchor;
      while (at < messages.length - 1 && !shown(messages[at])) at++;
      if (shown(messages[at])) messages[at].scrollIntoView({ block: "start" });
    }
    if (input.value) search();
    moved();
  }
  radios.forEach((radio) => radio.addEventListener("change", () => setView(radio.value)));

  // ---------------------------------------------------------------- where we are
  function topmost() {
    const edge = document.querySelector(".bar").getBoundingClientRect().bottom;
    const there = messages.length > 0 && body.dataset.view ? visibleOnes() : [];
    let low = 0, high = there.length - 1;
    if (high < 0 || messages[there[0]].getBoundingClientRect().top > edge + 40) return 0;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (messages[there[middle]].getBoundingClientRect().top <= edge + 8) low = middle; else high = middle - 1;
    }
    return there[low];
  }
  const known = {};
  function visibleOnes() {
    const letter = body.dataset.view;
    return known[letter] ||= messages.map((m, n) => (m.dataset.in.includes(letter) ? n : -1)).filter((n) => n >= 0);
  }
  let waiting = false;
  function moved() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const total = Math.max(1, messages.length), width = Math.max(1, total / 100);
      here.setAttribute("width", width);
      here.setAttribute("x", Math.min(topmost(), total - width));
    });
  }
  addEventListener("scroll", moved, { passive: true });
  addEventListener("resize", moved, { passive: true });
  strip.addEventListener("click", (event) => {
    const box = strip.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * messages.length);
    goTo(messages[Math.max(0, Math.min(messages.length - 1, at))]);
  });
  function goTo(message) {
    if (!message) return;
    if (!shown(message)) setView(message.dataset.in.includes("s") ? "s" : message.dataset.in[0]);
    message.scrollIntoView({ block: "start" });
    moved();
  }

  // ---------------------------------------------------------------- findings
  let at = -1;
  function toFinding(number) {
    if (!findings.length) return;
    if (at >= 0) findings[at].classList.remove("now");
    at = (number + findings.length) % findings.length;
    const found = findings[at], message = found.closest(".msg"), list = found.closest("details");
    if (list) list.open = true;
    if (message) goTo(message);
    found.classList.add("now");
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: message ? "start" : "center" });
    $("at").textContent = `${at + 1}/${findings.length}`;
  }
  $("next")?.addEventListener("click", () => toFinding(at + 1));
  $("prev")?.addEventListener("click", () => toFinding(at < 0 ? -1 : at - 1));
  document.querySelectorAll("a[data-finding]").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    toFinding(findings.findIndex((f) => f.id === link.dataset.finding));
  }));

  // ---------------------------------------------------------------- search
  let found = [], current = -1, run = 0, timer = 0;
  function search() {
    const word = input.value.trim().toLowerCase(), mine = ++run;
    document.querySelector(".hit")?.classList.remove("hit");
    globalThis.CSS?.highlights?.delete("found");
    found = []; current = -1;
    if (!word) { hits.textContent = ""; return; }
    const todo = visibleOnes();
    let n = 0;
    (function step() {
      if (mine !== run) return;
      const until = performance.now() + 12;
      while (n < todo.length && performance.now() < until) {
        if (messages[todo[n]].textContent.toLowerCase().includes(word)) found.push(todo[n]);
        n++;
      }
      hits.textContent = n < todo.length ? "…" : found.length ? `${found.length} messages` : "nothing found";
      if (n < todo.length) setTimeout(step); else if (found.length) toHit(0, word);
    })();
  }
  function toHit(number, word) {
    if (!found.length) return;
    document.querySelector(".hit")?.classList.remove("hit");
    current = (number + found.length) % found.length;
    const message = messages[found[current]];
    const ranges = [];
    const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      for (let i = text.indexOf(word); i >= 0 && ranges.length < 500; i = text.indexOf(word, i + word.length)) {
        if (i + word.length > node.data.length) break;
        const range = document.createRange();
        range.setStart(node, i); range.setEnd(node, i + word.length);
        ranges.push(range);
        const folded = node.parentElement.closest("details");
        if (folded && !node.parentElement.closest("summary")) folded.open = true;
      }
    }
    if (globalThis.Highlight) CSS.highlights.set("found", new Highlight(...ranges));
    message.classList.add("hit");
    message.scrollIntoView({ block: "start" });
    hits.textContent = `${current + 1}/${found.length} messages`;
    moved();
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 200); });
  input.addEventListener("keydown", (event) => {
    const word = input.value.trim().toLowerCase();
    if (event.key === "Enter") { event.preventDefault(); toHit(current + (event.shiftKey ? -1 : 1), word); }
    if (event.key === "Escape") { input.value = ""; search(); input.blur(); }
  });

  // ---------------------------------------------------------------- the rest
  fold.addEventListener("click", () => {
    const open = fold.textContent === "Open all";
    document.querySelectorAll(".msg details").forEach((part) => { part.open = open; });
    fold.textContent = open ? "Close all" : "Open all";
  });
  const copy = $("copy");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", () => navigator.clipboard.writeText($("command").textContent).then(
      () => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy"; }, 1500); },
      () => getSelection().selectAllChildren($("command"))));
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio]),textarea")) return;
    if (event.key === "n") toFinding(at + 1);
    else if (event.key === "p") toFinding(at < 0 ? -1 : at - 1);
    else if (event.key === "/") { event.preventDefault(); input.focus(); }
    else if (radios[Number(event.key) - 1]) setView(radios[Number(event.key) - 1].value);
  });
  body.classList.add("ready");
  moved();
})();
