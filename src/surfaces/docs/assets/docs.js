// Enhances the documentation with tabs, copy buttons and search as you type. Every page works without it.

/** Storage key of the reader's language for examples. */
const choice = "assay-docs-language";

/** The interactive reference used to be at /docs, with its operations at /docs#/Tag/operation. */
const [, old] = /^#\/[^/]+(\/\w+)?/.exec(document.location.hash) ?? [];
if (document.location.pathname.endsWith("/docs") && document.location.hash.startsWith("#/"))
  document.location.replace(`docs/api${old ?? ""}`);

/** Stores a choice if one is given, and returns the stored choice; null if storage is not available. */
function kept(value) {
  try {
    if (value !== undefined) localStorage.setItem(choice, value);
    return localStorage.getItem(choice);
  } catch {
    return null;
  }
}

function copyButton(textOf) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  said.append(button);
  button.addEventListener("click", async () => {
    const done = await copied(textOf());
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  return said;
}

/** Copies a text to the clipboard. Without permission, selects it for the reader to copy and returns false. */
async function copied({ text, place }) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(place);
    return false;
  }
}

const codeOf = (block) => {
  const place = block.querySelector("pre");
  return { text: place.textContent, place };
};

let groups = 0;

/** Turns adjacent labelled blocks into tabs, with ARIA's keyboard pattern: arrow keys choose, one tab is in the tab order. */
function makeTabs(group) {
  const number = ++groups;
  const blocks = [...group.querySelectorAll(".code")];
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  const tabs = blocks.map((block, i) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `tab-${number}-${i}`;
    tab.textContent = block.dataset.tab;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", `panel-${number}-${i}`);
    block.id = `panel-${number}-${i}`;
    block.setAttribute("role", "tabpanel");
    block.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => choose(block.dataset.tab, tab));
    list.append(tab);
    return tab;
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
  });
  const row = document.createElement("div");
  row.className = "tablist";
  row.append(
    list,
    copyButton(() => codeOf(blocks.find((block) => !block.hidden))),
  );
  group.prepend(row);
  return (wanted) => {
    const labels = blocks.map((block) => block.dataset.tab);
    const shown = labels.includes(wanted) ? wanted : labels[0];
    blocks.forEach((block, i) => {
      const isShown = labels[i] === shown;
      block.hidden = !isShown;
      tabs[i].setAttribute("aria-selected", String(isShown));
      tabs[i].tabIndex = isShown ? 0 : -1;
    });
  };
}

const shows = [...document.querySelectorAll(".tabs")].map(makeTabs);
const showAll = (wanted) => {
  for (const show of shows) show(wanted);
};

/** Switches all groups of tabs, and keeps the clicked tab in place on the screen. */
function choose(wanted, tab) {
  const before = tab.getBoundingClientRect().top;
  showAll(wanted);
  kept(wanted);
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: "instant" });
}
showAll(kept());

for (const block of document.querySelectorAll("main .code"))
  if (!block.closest(".tabs")) block.querySelector(".caption").append(copyButton(() => codeOf(block)));

/** Shows the search page's results below the field, fetched as the reader types. */
function makeSearch(form) {
  const field = form.elements.q;
  const panel = document.createElement("div");
  panel.className = "panel";
  panel.hidden = true;
  panel.setAttribute("role", "status");
  form.append(panel);
  let under = new AbortController();
  let waiting;
  const links = () => [...panel.querySelectorAll("a")];
  const close = () => {
    panel.hidden = true;
  };

  async function look() {
    under.abort();
    under = new AbortController();
    const query = field.value.trim();
    if (query.length < 2) return close();
    const address = `${form.action}?${new URLSearchParams({ q: query })}`;
    try {
      const response = await fetch(address, { signal: under.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const found = page.querySelector("main .found, main .none");
      if (!found) return;
      for (const link of found.querySelectorAll("a")) link.href = new URL(link.getAttribute("href"), address).href;
      panel.replaceChildren(document.adoptNode(found));
      panel.hidden = false;
    } catch {
      // Aborted by a later keystroke, or offline: the form still works.
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      // The first Escape closes the list; otherwise it would clear the field.
      event.preventDefault();
      close();
      field.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || panel.hidden) return;
    event.preventDefault();
    const stops = [field, ...links()];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
const form = document.querySelector("form[data-search]");
if (form) makeSearch(form);

/** The table of contents marks the section being read; the sidebar scrolls to the current page. */
const marks = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.hash.slice(1), link]));
const parts = [...marks.keys()].map((id) => document.getElementById(id));
function mark() {
  const above = parts.filter((part) => part.getBoundingClientRect().top < 140);
  const here = above.at(-1) ?? parts[0];
  for (const [id, link] of marks) {
    if (id === here.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
if (parts.length > 0) {
  document.addEventListener("scroll", mark, { passive: true });
  mark();
}

const menu = document.getElementById("menu");
const own = menu?.querySelector('[aria-current="page"]');
if (own) menu.scrollTop = own.offsetTop - menu.clientHeight / 3;
