"use strict";
// What makes the page more pleasant: it works without. Calls are shown without loading the page again, the notebook is
// saved while it is written, rows can be added, and what was typed for the answer outlives a reload.
(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const post = (form, fields) =>
    fetch(form.action, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

  // The page between two episodes looks by itself for the next one.
  const waiting = find("#waiting");
  if (waiting) {
    fetch(".", { cache: "no-store" }).then(
      () => location.replace("."),
      () => {
        find("h1").textContent = "The run has ended";
        waiting.textContent = "The results are in the terminal. You can close this page.";
        for (const line of document.querySelectorAll("main p:not(#waiting)")) line.hidden = true;
      },
    );
    return;
  }

  const cards = find("#cards");
  if (!cards) return;

  for (const form of document.querySelectorAll(".call-form")) {
    const problem = find(".problem", form), button = find("button", form);
    form.addEventListener("submit", async event => {
      event.preventDefault();
      button.disabled = true;
      try {
        const answer = await post(form, [...new FormData(form), ["part", "1"]]);
        const text = await answer.text();
        problem.hidden = answer.ok;
        problem.textContent = answer.ok ? "" : text;
        if (answer.ok && text) show(text);
        else if (!text) location.reload(); // the episode is over, perhaps in another window
      } catch {
        problem.hidden = false;
        problem.textContent = "The run cannot be reached any more. Has it ended in the terminal?";
      } finally {
        button.disabled = false;
      }
    });
  }

  function show(text) {
    const card = new DOMParser().parseFromString(text, "text/html").querySelector(".card");
    cards.prepend(document.adoptNode(card));
    find("#none").hidden = true;
    find("#turn").textContent = Number(card.dataset.turn) + 1;
    const others = [...cards.querySelectorAll(".card[open]")].slice(4);
    for (const other of others) other.open = false;
    card.tabIndex = -1;
    card.scrollIntoView({ block: "start" });
    if (matchMedia("(max-width: 60rem)").matches) card.focus();
  }

  const notes = find("#notes"), saved = find("#saved"), form = find("#notes-form");
  let timer = 0, written = notes.value;
  async function save() {
    clearTimeout(timer);
    if (notes.value === written) return;
    const value = notes.value;
    try {
      const answer = await post(form, { notes: value, part: "1" });
      const done = answer.ok || answer.type === "opaqueredirect";
      if (done) written = value;
      saved.textContent = done ? "Saved" : `Not saved: ${await answer.text()}`;
    } catch {
      saved.textContent = "Not saved: the run cannot be reached";
    }
  }
  notes.addEventListener("input", () => {
    saved.textContent = "";
    clearTimeout(timer);
    timer = setTimeout(save, 1500);
  });
  notes.addEventListener("change", save);
  form.addEventListener("submit", event => { event.preventDefault(); save(); });

  const answer = find("#answer-form"), more = find("#more-rows"), body = find("tbody", answer);
  const key = `answer ${location.pathname} ${document.title}`;
  const fields = () => [...answer.querySelectorAll("input, textarea")];
  function add() {
    const row = body.rows[body.rows.length - 1].cloneNode(true), number = body.rows.length + 1;
    find("th", row).textContent = number;
    for (const input of row.querySelectorAll("input")) {
      input.value = "";
      input.setAttribute("aria-label", input.getAttribute("aria-label").replace(/\d+$/, number));
    }
    body.append(row);
    return row;
  }
  more.hidden = false;
  more.addEventListener("click", () => find("input", add()).focus());
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "[]");
  if (kept.length && fields().every(field => !field.value)) {
    while (fields().length < kept.length) add();
    fields().forEach((field, place) => { field.value = kept[place] ?? ""; });
  }
  answer.addEventListener("input", () =>
    sessionStorage.setItem(key, JSON.stringify(fields().map(field => field.value))));
})();
