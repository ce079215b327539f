// Small manners of the pages: light and dark, messages in passing, and forms that outlive a lost connection.
(() => {
  const themes = ["auto", "light", "dark"];
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try { return localStorage.getItem("greenroom.theme") || "auto"; } catch { return "auto"; }
  };
  const isDark = () => (chosen() === "auto" ? system.matches : chosen() === "dark");

  function dress() {
    const root = document.documentElement;
    root.dataset.theme = isDark() ? "dark" : "light";
    root.dataset.chosen = chosen();
    const label = { auto: "as the system", light: "light", dark: "dark" }[chosen()];
    document.querySelectorAll("button.theme").forEach((button) => {
      button.setAttribute("aria-label", `Colours: ${label}. Change`);
      button.title = `Colours: ${label}`;
    });
    window.dispatchEvent(new Event("greenroom:theme"));
  }

  function nextTheme() {
    const next = themes[(themes.indexOf(chosen()) + 1) % themes.length];
    try { localStorage.setItem("greenroom.theme", next); } catch { /* for this page only */ }
    dress();
  }

  // A message stays for six seconds, a refusal for ten; the next one takes its place.
  let saying;
  function say(words, tone) {
    const place = document.getElementById("sayings");
    if (!place) return;
    clearTimeout(saying);
    place.className = `sayings shown ${tone}`;
    place.textContent = words;
    saying = setTimeout(() => { place.className = "sayings"; place.textContent = ""; }, tone === "bad" ? 10000 : 6000);
  }

  // The cookie that holds the ticket goes; the page asks for another.
  async function leave() {
    await fetch("/leave", { method: "POST" });
    location.href = "/enter";
  }

  // Forms. What is typed is kept in this tab until it was taken; so is the key under which it was sent, and with it
  // the same thing sent again after a broken connection is known to be the same.
  const slot = (form) => `greenroom.form:${location.pathname}${location.search}:${form.getAttribute("name")}`;
  const read = (form) => {
    try { return JSON.parse(sessionStorage.getItem(slot(form)) || "{}"); } catch { return {}; }
  };
  const write = (form, kept) => {
    try { sessionStorage.setItem(slot(form), JSON.stringify(kept)); } catch { /* it is only less patient then */ }
  };
  const content = (form) => Object.fromEntries(new FormData(form));
  const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  function submit(event, emit) {
    event.preventDefault();
    send(event.currentTarget, emit);
  }

  function send(form, emit) {
    if (form.sending) return;
    if (!window.socket) {  // a page is shown before it has one, and what is said into none is lost
      form.early ??= setTimeout(() => { form.early = undefined; send(form, emit); }, 50);
      return;
    }
    const kept = read(form);
    const fields = content(form);
    const key = kept.key && JSON.stringify(kept.fields) === JSON.stringify(fields) ? kept.key : newKey();
    write(form, { fields, key });
    sends(form, { key, again: () => emit(fields, key), out: window.socket?.connected });
    watch();
    emit(fields, key);
  }

  function sends(form, sending) {
    form.sending = sending;
    form.toggleAttribute("data-sending", Boolean(sending));
    form.setAttribute("aria-busy", String(Boolean(sending)));
  }

  // What went out on a connection that broke may have reached nobody: it goes out on the next one as well, under the
  // same key. What was given to none yet waits in the socket, and is on its way when the socket says it is connected.
  let watched;
  function watch() {
    if (!window.socket || window.socket === watched) return;
    watched = window.socket;
    watched.on("connect", () => document.querySelectorAll("form").forEach((form) => {
      if (form.sending?.out) form.sending.again();
      else if (form.sending) form.sending.out = true;
    }));
  }

  function typed(event) {
    const form = event.currentTarget;
    write(form, { ...read(form), fields: content(form) , key: undefined });
  }

  function answered(id, key, taken) {
    const form = document.getElementById(id);
    if (form?.sending?.key !== key) return;  // answered before, since it was sent twice
    sends(form, null);
    if (!taken) return;
    try { sessionStorage.removeItem(slot(form)); } catch { /* nothing was kept */ }
    form.reset();
    form.querySelector("textarea, input:not([type=hidden])")?.focus();
  }

  function restore(form) {
    for (const [name, value] of Object.entries(read(form).fields || {})) {
      const field = form.elements.namedItem(name);
      if (field && !field.value) field.value = value;
    }
  }

  // Enter sends what stands in a field of several lines; with Shift it makes a line.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (!event.target.matches?.("textarea[data-enter=send]")) return;
    event.preventDefault();
    event.target.form?.requestSubmit();
  });
  // A sending that was cut off may be sent again.
  window.addEventListener("offline", () => document.querySelectorAll("form").forEach((f) => sends(f, null)));

  // A log keeps to its end while its reader is there, and stays where the reader has scrolled to.
  function toEnd(id) {
    const place = document.getElementById(id);
    if (!place) return;
    if (place.atEnd === undefined) {
      place.atEnd = true;
      place.addEventListener("scroll", () => {
        place.atEnd = place.scrollHeight - place.scrollTop - place.clientHeight < 60;
      });
    }
    if (place.atEnd) requestAnimationFrame(() => place.scrollTo({ top: place.scrollHeight }));
  }

  // Sliders. What happens elsewhere does not push one that a hand has just moved. Its end is set first, or the value
  // would be cut.
  function slid(event, emit) {
    event.target.slidAt = Date.now();
    emit(Number(event.target.value));
  }

  function push(id, value, end, firmly) {
    const slider = document.getElementById(id);
    if (!slider) return;
    slider.max = end;
    if (firmly || Date.now() - (slider.slidAt || 0) > 500) slider.value = value;
  }

  // Bring the chosen moment into view within its list, and leave the page where it is.
  function toChosen(id) {
    const place = document.getElementById(id);
    const chosen = place?.querySelector(".chosen");
    if (!chosen || place.scrollHeight <= place.clientHeight) return;
    const top = chosen.offsetTop - place.offsetTop;
    const seen = top >= place.scrollTop && top + chosen.offsetHeight <= place.scrollTop + place.clientHeight;
    if (!seen) place.scrollTo({ top: top - (place.clientHeight - chosen.offsetHeight) / 2 });
  }

  system.addEventListener("change", dress);
  window.addEventListener("storage", dress);
  document.addEventListener("DOMContentLoaded", dress);
  new MutationObserver((_, watcher) => {
    if (document.querySelector("button.theme")) { watcher.disconnect(); dress(); }
  }).observe(document.documentElement, { childList: true, subtree: true });
  window.greenroom = { nextTheme, say, leave, submit, typed, answered, restore, toEnd, toChosen, slid, push, isDark };
  dress();
})();
