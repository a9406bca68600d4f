"use strict";
(() => {
  const data = JSON.parse(document.getElementById("index").textContent);
  const episodes = data.episodes;
  const PAGE = 250; // rows shown at once
  const SIGNS = { passed: "✓ passed", failed: "✗ failed", error: "! error" };
  const RANKS = { passed: 0, failed: 1, error: 2 };

  // Episodes' pages come escaped from the templates; this is the one place where text becomes elements.
  const pages = window.trustedTypes
    ? window.trustedTypes.createPolicy("pages", { createHTML: (text) => text })
    : { createHTML: (text) => text };

  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const view = (name) => find(`article[data-view="${name}"]`);

  function make(tag, text, attributes = {}) {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null) element.setAttribute(name, value);
    }
    return element;
  }

  find(".without-script").remove();

  // --- theme ---

  const themeButton = find(".theme");
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : prefersDark.matches;
  }

  function labelTheme() {
    themeButton.textContent = isDark() ? "Light" : "Dark";
    themeButton.setAttribute("aria-label", `${themeButton.textContent} theme`);
  }

  function storage(action) {
    try {
      return action(window.localStorage);
    } catch {
      return null; // a file opened from disk may have none
    }
  }

  const stored = storage((store) => store.getItem("mpcbench-theme"));
  if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
  themeButton.hidden = false;
  labelTheme();
  prefersDark.addEventListener("change", labelTheme);
  themeButton.addEventListener("click", () => {
    const chosen = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
    storage((store) => store.setItem("mpcbench-theme", chosen));
    labelTheme();
  });

  // --- the list ---

  const form = find(".filters");
  const table = find(".episodes");
  const body = find("tbody", table);
  const several = data.runs.length > 1;
  const FILTERS = ["q", "level", "model", "run", "outcome", "cause"].filter((name) => form.elements[name]);

  for (const episode of episodes) {
    episode.modelName = data.models[episode.model];
    episode.runLetter = data.runs[episode.run].letter;
    episode.causeNames = episode.causes.map((cause) => data.causes[cause]);
    const words = [episode.instance, episode.modelName, episode.outcome, episode.note, ...episode.causeNames];
    episode.text = words.join("\n").toLowerCase();
  }

  function fill(name, values, labels = values) {
    const select = form.elements[name];
    if (!select) return;
    values.forEach((value, place) => select.append(make("option", labels[place], { value })));
  }

  const present = (key) => [...new Set(episodes.map((episode) => episode[key]))].sort();
  fill("level", present("level").map(String), present("level").map((level) => `Level ${level}`));
  fill("model", data.models);
  fill("run", data.runs.map((run) => run.letter), data.runs.map((run) => `${run.letter}: ${run.id}`));
  fill("outcome", Object.keys(RANKS).filter((outcome) => episodes.some((episode) => episode.outcome === outcome)));
  fill("cause", data.causes);

  const byPlace = new Map(episodes.map((episode, place) => [episode, place]));
  const collator = new Intl.Collator("en", { numeric: true });
  const KEYS = {
    instance: null, // the order of the file
    model: (episode) => episode.modelName,
    run: (episode) => episode.runLetter,
    outcome: (episode) => RANKS[episode.outcome],
    f1: (episode) => episode.f1,
    cause: (episode) => episode.causeNames[0] ?? null,
    turns: (episode) => episode.turns,
    calls: (episode) => episode.calls,
    tokens: (episode) => episode.tokens,
    cost: (episode) => episode.cost,
    seconds: (episode) => episode.seconds,
  };

  // What is not known comes last in either direction; equal ones keep the order of the file.
  function sorted(found, sort) {
    const down = sort.startsWith("-");
    const key = KEYS[sort.replace(/^-/, "")];
    const sign = down ? -1 : 1;
    if (!key) return down ? found.reverse() : found;
    return found.sort((one, other) => {
      const a = key(one);
      const b = key(other);
      if (a === null || b === null) return (a === null) - (b === null) || byPlace.get(one) - byPlace.get(other);
      const order = typeof a === "string" ? collator.compare(a, b) : a - b;
      return sign * order || byPlace.get(one) - byPlace.get(other);
    });
  }

  function matches(episode, state) {
    return (
      (!state.level || String(episode.level) === state.level) &&
      (!state.model || episode.modelName === state.model) &&
      (!state.run || episode.runLetter === state.run) &&
      (!state.outcome || episode.outcome === state.outcome) &&
      (!state.cause || episode.causeNames.includes(state.cause)) &&
      (!state.q || state.q.toLowerCase().split(/\s+/).every((word) => episode.text.includes(word)))
    );
  }

  let list = episodes; // as last listed: what "next" and "previous" step through
  let shown = PAGE;
  let listState = { sort: "instance" };

  function listAddress(state) {
    const parameters = new URLSearchParams();
    for (const name of FILTERS) if (state[name]) parameters.set(name, state[name]);
    if (state.sort !== "instance") parameters.set("sort", state.sort);
    const text = parameters.toString();
    return `#/episodes${text ? `?${text}` : ""}`;
  }

  function address(episode) {
    const parameters = new URLSearchParams({ instance: episode.instance, model: episode.modelName });
    if (episode.trial !== 1) parameters.set("trial", episode.trial);
    if (several) parameters.set("run", episode.runLetter);
    return `#/episode?${parameters}`;
  }

  const digits = (value, places) => (value === null ? "" : value.toFixed(places));
  const grouped = (value) => (value === null ? "" : value.toLocaleString("en"));
  const dollars = (value) => (value === null ? "" : `$${value >= 1 ? value.toFixed(2) : Number(value.toPrecision(2))}`);
  const named = (episode) => (episode.trial === 1 ? episode.modelName : `${episode.modelName}, trial ${episode.trial}`);
  function outcome(episode) {
    return make("span", SIGNS[episode.outcome], { class: `is-${episode.outcome}` });
  }

  function row(episode) {
    const line = make("tr");
    const cell = (text, attributes) => line.appendChild(make("td", text, attributes));
    cell().append(make("a", episode.instance, { href: address(episode) }));
    cell(named(episode), { class: "model" });
    if (several) cell(episode.runLetter);
    cell().append(outcome(episode));
    cell(digits(episode.f1, 3), { class: "number" });
    const [first, ...others] = episode.causeNames;
    cell(others.length ? `${first}, or ${others.length} other${others.length > 1 ? "s" : ""}` : first ?? episode.note, {
      class: "cause",
    });
    cell(grouped(episode.turns), { class: "number" });
    cell(grouped(episode.calls), { class: "number" });
    cell(grouped(episode.tokens), { class: "number" });
    cell(dollars(episode.cost), { class: "number" });
    cell(digits(episode.seconds, 1), { class: "number" });
    return line;
  }

  const more = find(".more");

  function showRows(from) {
    const rows = document.createDocumentFragment();
    for (const episode of list.slice(from, shown)) rows.append(row(episode));
    if (from === 0) body.replaceChildren(rows);
    else body.append(rows);
    const rest = list.length - shown;
    more.hidden = rest <= 0;
    more.textContent = `Show ${Math.min(rest, PAGE)} more of ${grouped(rest)}`;
  }

  function showList(state) {
    listState = state;
    for (const name of FILTERS) if (form.elements[name].value !== (state[name] ?? "")) form.elements[name].value = state[name] ?? "";
    list = sorted(episodes.filter((episode) => matches(episode, state)), state.sort);
    shown = PAGE;
    showRows(0);
    for (const heading of all("[data-sort]", table)) {
      if (heading.dataset.sort === state.sort.replace(/^-/, "")) {
        heading.setAttribute("aria-sort", state.sort.startsWith("-") ? "descending" : "ascending");
      } else heading.removeAttribute("aria-sort");
    }
    const filtered = FILTERS.some((name) => state[name]);
    find(".found [role=status]").textContent = filtered
      ? `${grouped(list.length)} of ${grouped(episodes.length)} episodes`
      : `${grouped(episodes.length)} episodes`;
    find(".clear").hidden = !filtered;
  }

  // The state is in the address; typing does not fill the history.
  function changeList(change) {
    const state = { ...listState, ...change };
    history.replaceState(null, "", listAddress(state));
    showList(state);
    markViews("episodes");
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    const { name, value } = event.target;
    if (FILTERS.includes(name)) changeList({ [name]: value });
  });
  find(".clear").addEventListener("click", () => {
    changeList(Object.fromEntries(FILTERS.map((name) => [name, ""])));
    form.elements.q.focus();
  });
  more.addEventListener("click", () => {
    const from = shown;
    shown += PAGE;
    showRows(from);
    find("a", body.rows[from]).focus();
  });
  for (const heading of all("[data-sort]", table)) {
    find("button", heading).addEventListener("click", () => {
      const key = heading.dataset.sort;
      const first = heading.classList.contains("number") ? `-${key}` : key;
      const second = first === key ? `-${key}` : key;
      changeList({ sort: listState.sort === first ? second : first });
    });
  }

  // --- an episode ---

  const blocks = new Map();

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  function loaded() {
    if (document.readyState !== "loading") return Promise.resolve();
    return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  }

  async function pageOf(episode) {
    const id = `block-${episode.block}`;
    if (!document.getElementById(id)?.nextElementSibling) await loaded(); // it may be half there
    if (!blocks.has(id)) {
      if (blocks.size > 20) blocks.clear();
      blocks.set(id, inflate(document.getElementById(id).textContent));
    }
    const block = await blocks.get(id);
    return block.pages[episode.page].map((line) => block.lines[line]).join("\n");
  }

  const at = (instance, model, trial, run) =>
    episodes.find(
      (episode) =>
        episode.instance === instance &&
        episode.modelName === model &&
        episode.trial === trial &&
        (!run || episode.runLetter === run),
    );

  function step(label, episode) {
    const item = make("li");
    item.append(episode ? make("a", label, { href: address(episode) }) : make("span", label, { "aria-disabled": "true" }));
    return item;
  }

  let wanted = null; // the episode that is to be seen: a slower one that comes later is dropped

  async function showEpisode(parameters) {
    const article = view("episode");
    const name = parameters.get("instance") ?? "";
    const episode = at(name, parameters.get("model") ?? "", Number(parameters.get("trial") ?? 1), parameters.get("run"));
    const target = find(".body", article);
    wanted = episode;
    find(".back", article).href = listAddress(listState);
    const steps = find(".trail ul", article);
    const variants = find(".variants", article);
    steps.replaceChildren();
    find("ul", variants).replaceChildren();
    target.replaceChildren();
    const title = episode ? `${episode.instance}, ${named(episode)}` : "No such episode";
    find("h1", article).textContent = title;
    variants.hidden = true;
    if (!episode) {
      const what = name || "an instance without a name";
      target.append(make("p", `This report holds no episode of ${what} with that model, trial and run.`));
      return title;
    }
    const inList = list.includes(episode) ? list : episodes;
    const place = inList.indexOf(episode);
    steps.append(step("Previous", inList[place - 1]), step("Next", inList[place + 1]));
    const same = episodes.filter((other) => other.instance === episode.instance);
    variants.hidden = same.length < 2;
    for (const other of same) {
      const link = make("a", `${named(other)}${several ? ` · ${other.runLetter}` : ""} `, {
        href: address(other),
        "aria-current": other === episode ? "page" : null,
      });
      link.append(outcome(other));
      const item = make("li");
      item.append(link);
      find("ul", variants).append(item);
    }
    target.setAttribute("aria-busy", "true");
    pageOf(episode).then(
      (text) => {
        if (wanted === episode) target.innerHTML = pages.createHTML(text);
      },
      (error) => {
        if (wanted === episode) target.replaceChildren(make("p", `The page cannot be unpacked: ${error.message}`));
      },
    ).finally(() => target.removeAttribute("aria-busy"));
    return title;
  }

  // --- which view ---

  const TITLE = document.title;
  let first = true;

  function markViews(name) {
    for (const link of all("nav [data-view]")) {
      if (link.dataset.view === name || (name === "episode" && link.dataset.view === "episodes")) {
        link.setAttribute("aria-current", "page");
      } else link.removeAttribute("aria-current");
      if (link.dataset.view === "episodes") link.href = listAddress(listState);
    }
  }

  async function route() {
    const match = /^#\/([a-z]+)(?:\?(.*))?$/s.exec(location.hash);
    const name = match && view(match[1]) ? match[1] : "overview";
    const parameters = new URLSearchParams(match?.[2] ?? "");
    let title = name === "overview" ? "" : find("h1", view(name)).textContent;
    wanted = null;
    if (name === "episodes") {
      const state = Object.fromEntries(FILTERS.map((key) => [key, parameters.get(key) ?? ""]));
      const sort = parameters.get("sort") ?? "";
      const known = Object.hasOwn(KEYS, sort.replace(/^-/, "")) && find(`[data-sort="${sort.replace(/^-/, "")}"]`, table);
      showList({ ...state, sort: known ? sort : "instance" });
    } else if (name === "episode") title = await showEpisode(parameters);
    for (const article of all("article[data-view]")) article.hidden = article.dataset.view !== name;
    markViews(name);
    document.title = title ? `${title} · MPCBench` : TITLE;
    if (first) first = false;
    else {
      window.scrollTo(0, 0);
      find("h1", view(name)).focus({ preventScroll: true });
    }
  }

  // Links within a page scroll there and leave the address, which holds the view, as it is.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || link.getAttribute("href").startsWith("#/")) return;
    event.preventDefault();
    const target = document.getElementById(link.getAttribute("href").slice(1));
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });

  window.addEventListener("hashchange", route);
  route();
})();
