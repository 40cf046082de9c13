"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const shown = $("shown"), svg = document.querySelector("#board svg");
  const nodes = data.items.map((id) => $(id));
  const buttons = [...document.querySelectorAll("#moves button")];
  const grow = (steps) => {
    const out = [];
    let list = [];
    for (const step of steps) {
      list = list.slice();
      for (const [at, gone, ...more] of step) list.splice(at, gone, ...more);
      out.push(list);
    }
    return out;
  };
  const pictures = grow(data.pictures), lists = grow(data.lists), end = pictures.length - 1;
  let now = end, timer = 0;

  function show(ply, spoken = true) {
    now = Math.max(0, Math.min(end, ply));
    shown.replaceChildren(...pictures[now].map((n) => nodes[n]));
    $("state").textContent = data.states[now];
    $("note").textContent = data.notes[now] || "";
    $("listing").textContent = lists[now].map((n) => data.words[n]).join("");
    svg.setAttribute("aria-label", data.states[now]);
    $("slider").value = now;
    $("slider").setAttribute("aria-valuetext", data.states[now]);
    buttons.forEach((b, n) => n === now ? b.setAttribute("aria-current", "step") : b.removeAttribute("aria-current"));
    const box = $("moves"), mark = buttons[now];
    const top = mark.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + mark.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
    $("first").disabled = $("back").disabled = now === 0;
    $("last").disabled = $("forward").disabled = now === end;
    document.documentElement.dataset.ply = now;
    if (spoken) history.replaceState(null, "", "#" + now);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    $("play").setAttribute("aria-pressed", "false");
  }
  function play() {
    if (timer) return stop();
    if (now === end) show(0);
    $("play").setAttribute("aria-pressed", "true");
    timer = setInterval(() => now === end ? stop() : show(now + 1), 900);
  }
  const go = (ply) => { stop(); show(ply); };

  $("controls").hidden = false;
  $("first").onclick = () => go(0);
  $("back").onclick = () => go(now - 1);
  $("forward").onclick = () => go(now + 1);
  $("last").onclick = () => go(end);
  $("play").onclick = play;
  $("slider").oninput = (event) => go(Number(event.target.value));
  buttons.forEach((b, n) => { b.onclick = () => go(n); });
  const keys = { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0), End: () => go(end), " ": play };
  addEventListener("keydown", (event) => {
    const key = keys[event.key];
    if (!key || event.ctrlKey || event.altKey || event.metaKey || event.target.id === "slider") return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    event.preventDefault();
    key();
  });
  let from = null;
  svg.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  svg.addEventListener("touchend", (event) => {
    if (!from) return;
    const to = event.changedTouches[0], dx = to.clientX - from.clientX, dy = to.clientY - from.clientY;
    from = null;
    if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) go(now + (dx < 0 ? 1 : -1));
    else if (Math.abs(dx) < 10 && Math.abs(dy) < 10) go(now + (to.clientX < svg.getBoundingClientRect().left + svg.clientWidth / 3 ? -1 : 1));
  }, { passive: true });
  const asked = () => /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : end;
  addEventListener("hashchange", () => go(asked()));
  show(asked(), false);
})();
