// What is wrong with a page, as a list of sentences. The folded parts are opened, so that they are looked at too.
(() => {
  const bad = new Set();
  const root = document.documentElement;
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  if (root.scrollWidth > root.clientWidth) bad.add(`wider than the screen by ${root.scrollWidth - root.clientWidth}`);
  if (document.scripts.length || window.broken) bad.add("a script");
  if (!document.querySelector("main svg, main table")) bad.add("nothing is drawn");

  const words = (e) => `"${e.textContent.trim().slice(0, 30)}"`;
  const cover = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  for (const svg of document.querySelectorAll("main svg")) {
    const texts = [...svg.querySelectorAll("text")].map((e) => [e, e.getBoundingClientRect()]);
    for (const [e, box] of texts) {
      if (box.left < -1 || box.right > root.clientWidth + 1) bad.add(`${words(e)} leaves the screen`);
    }
    texts.forEach(([a, x], n) => texts.slice(n + 1).forEach(([b, y]) => {
      if (cover(x, y)) bad.add(`${words(a)} and ${words(b)} cover each other`);
    }));
  }

  // the contrast that guidelines for accessible pages ask of words: 4.5 to 1
  const parse = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const light = (colour) => {
    const [r, g, b] = parse(colour).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (parse(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  for (const e of document.querySelectorAll("main *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.localName === "title") continue;
    const style = getComputedStyle(e);
    const [a, b] = [light(e.namespaceURI.endsWith("svg") ? style.fill : style.color), light(ground(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) bad.add(`${words(e)} has a contrast of ${contrast.toFixed(1)}`);
  }
  return [...bad];
})()
