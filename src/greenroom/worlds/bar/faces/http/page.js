"use strict";

const byId = (id) => document.getElementById(id);
const MOST = Number(document.body.dataset.most), LAST_CALL = Number(document.body.dataset.lastCall);
const LOOK = 1500, AGAIN = 1500, PATIENCE = 20, PACE = 28, TYPED = 700;
const people = Object.fromEntries([...document.querySelectorAll(".person")].map((one) => [one.dataset.agent, one]));
const say = byId("say"), text = byId("text"), log = byId("log"), knock = byId("knock");
const shown = new Set();
let seen = null, selected = null, key = null, busy = false, looking = Promise.resolve();

const session = () => seen?.session;
const inside = () => Boolean(session()) && !["kicked", "ended"].includes(session().session_status);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
const sentence = (words) => { words = words.charAt(0).toUpperCase() + words.slice(1); return /[.!?]$/.test(words) ? words : words + "."; };
const tell = (id, words) => { if (byId(id).textContent !== words) byId(id).textContent = words; };

function make(tag, classes, words) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (words !== undefined) made.textContent = words;
  return made;
}

// asking the server

class Unreachable extends Error {}

async function ask(method, path, body, sent) {
  const headers = {};
  if (sent) headers["Idempotency-Key"] = sent;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try { answer = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)}); }
  catch { throw new Unreachable(); }
  if ([502, 503, 504].includes(answer.status)) throw new Unreachable();
  const told = await answer.json().catch(() => { throw new Unreachable(); });
  if (!answer.ok) throw new Error(sentence(told.detail || "that did not work"));
  return told;
}

/* The same key each time: however often the server is asked, the thing is done once. */
async function insist(path, body, sent) {
  for (let tries = 1; ; tries++) {
    try { return await ask("POST", path, body, sent); }
    catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (tries === PATIENCE) throw new Error("The bar cannot be reached. What you wrote is still here; say it again in a while.");
      tell("lost", "The bar cannot be reached. Trying again.");
      await pause(AGAIN);
    }
  }
}

function look() {
  looking = looking.then(async () => {
    try {
      const now = await ask("GET", "/bar/visit?known=" + encodeURIComponent(seen?.mark || ""));
      tell("lost", "");
      if (!now.same) draw(now);
    } catch (error) {
      tell("lost", error instanceof Unreachable ? "The bar cannot be reached. Trying again." : error.message);
    }
  });
  return looking;
}

/* One thing at a time; what went wrong is said in words. */
async function act(does) {
  if (busy) return;
  busy = true;
  tell("said", "");
  controls();
  try { await does(); } catch (error) { tell("said", error.message); await look(); }
  finally { busy = false; controls(); }
}

// what was said

function draw(now) {
  const first = seen === null, former = session()?.session_id, was = inside(), held = say.contains(document.activeElement);
  seen = now;
  log.querySelectorAll(".pending, .thinking").forEach((one) => one.remove());
  if (former !== session()?.session_id) {
    log.replaceChildren();
    shown.clear();
    key = null;
  }
  log.hidden = !session();
  const low = log.scrollTop + log.clientHeight >= log.scrollHeight - 80;
  const news = now.messages.filter((one) => !shown.has(one.id));
  let delay = 0;
  for (const one of news) {
    shown.add(one.id);
    log.append(line(one, first || one.is_user_message ? null : delay));
    if (!one.is_user_message) delay += one.content.split(" ").length * PACE;
  }
  stand();
  controls();
  if (news.length && (low || first || news.some((one) => one.is_user_message))) scroll(news.length, first);
  if (first) setTimeout(() => log.setAttribute("aria-live", "polite"));
  if (was && !inside() && (held || document.activeElement === document.body)) byId("reason").focus();
}

/* To the end, unless that would hide how the answer begins: a long one is read from its top. */
function scroll(news, first) {
  const theirs = [...log.children].slice(-news).find((one) => one.matches(".theirs"));
  log.scrollTop = first || !theirs ? log.scrollHeight : Math.min(theirs.offsetTop - log.offsetTop - 8, log.scrollHeight);
}

function line(one, delay) {
  const mine = one.is_user_message, person = people[one.agent];
  const made = make("article", mine ? "line mine" : `line theirs from-${one.agent} kind-${one.kind}`);
  const head = make("div", "head");
  if (!mine) head.append(person.querySelector("svg").cloneNode(true));
  const time = make("time", "", new Date(one.timestamp).toLocaleTimeString([], {hour: "2-digit", minute: "2-digit"}));
  time.dateTime = one.timestamp;
  head.append(make("span", "who", mine ? "You" : person.dataset.name), time);
  made.append(head, one.kind === "crisis" ? plain(one.content) : words(one.content, delay));
  return made;
}

/* New lines appear word by word, on a page that was open when they were said. */
function words(content, delay) {
  if (delay === null || content.length > TYPED) return make("p", "words", content);
  const made = make("p", "words typed");
  content.split(/(?<= )/).forEach((word, i) => {
    const span = make("span", "word", word);
    span.style.animationDelay = `${delay + i * PACE}ms`;
    made.append(span);
  });
  return made;
}

/* Places to turn to stand there at once, whole, with addresses that can be followed. */
function plain(content) {
  const made = make("p", "words");
  made.append(...linked(content));
  return made;
}

function linked(content) {
  return content.split(/((?:[\w.-]+@)?(?:[a-z0-9-]+\.)+[a-z]{2,}\b)/).map((part, i) => {
    if (i % 2 === 0) return part;
    const link = make("a", "", part);
    link.href = (part.includes("@") ? "mailto:" : "https://") + part;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    return link;
  });
}

// how it stands

function stand() {
  const now = session();
  document.body.dataset.where = inside() ? "inside" : "outside";
  tell("notice", notice());
  tell("note", inside() && seen.note || "");
  tell("reason", reason());
  byId("facts").hidden = !now;
  byId("code-field").hidden = !seen.wants_code;
  byId("code").required = seen.wants_code;
  if (!now) return;
  tell("left", `${now.message_limit - now.message_count} of ${now.message_limit}`);
  tell("sky", now.weather ? `${now.weather.kind}, ${now.weather.celsius} °C (${now.weather.source})` : "nobody looked");
  tell("again", String(seen.sessions_left));
}

function notice() {
  if (!inside()) return "";
  if (session().session_status === "warning_15min") {
    return "You have been silent for a quarter of an hour. Say something within five minutes to keep your stool.";
  }
  const left = session().message_limit - session().message_count;
  return left <= LAST_CALL ? `Last call: ${left} more.` : "";
}

function reason() {
  const now = session();
  if (seen.sessions_left <= 0) return "That was the last of today's sessions. The door opens again after midnight.";
  if (!now) return "There is a lamp over the door, and somebody has swept the steps. You can hear a piano with two dead keys.";
  if (now.session_status === "kicked") return "You were silent for twenty minutes, and Blanca showed you out. The door is shut, not locked: knock, and Bart will know where you stopped.";
  if (now.message_count >= now.message_limit) return `That was number ${now.message_limit}, and the evening was called. Knock, and another begins.`;
  return "You left. Knock, and Bart will know where you stopped.";
}

function controls() {
  const muted = new Set(seen?.agents_muted || []), available = new Set(session()?.agents_available || []);
  if (selected && !available.has(selected)) selected = null;
  const held = document.activeElement;
  for (const [agent, person] of Object.entries(people)) {
    const portrait = person.querySelector(".portrait"), mute = person.querySelector(".mute"), name = person.dataset.name;
    person.classList.toggle("muted", muted.has(agent));
    portrait.disabled = !inside() || !available.has(agent);
    portrait.setAttribute("aria-pressed", String(inside() && selected === agent));
    if (!mute) continue;
    mute.hidden = !inside();
    tell_button(mute, muted.has(agent) ? "Unmute" : "Mute", name);
  }
  say.hidden = !inside();
  knock.hidden = !seen || inside();
  byId("knocker").hidden = Boolean(seen) && seen.sessions_left <= 0;
  for (const id of ["send", "leave", "not-so", "knocker"]) byId(id).disabled = busy;
  byId("not-so").hidden = !session()?.may_take_back;
  document.body.toggleAttribute("data-help", Boolean(session()?.help));
  if (session()?.help) byId("help").open = true;
  text.readOnly = busy;
  log.setAttribute("aria-busy", String(busy));
  tell("whom", selected ? ` to ${people[selected].dataset.name}` : "");
  count();
  if (held !== document.activeElement && held.isConnected && !held.disabled) held.focus();
}

function tell_button(button, words, name) {
  button.textContent = words;
  button.setAttribute("aria-label", `${words} ${name}`);
}

function count() {
  const left = MOST - text.value.length;
  tell("count", `${left} ${left === 1 ? "character" : "characters"} left`);
  byId("count").classList.toggle("few", left <= 50);
}

// what is being written outlives a reload, with the key it was sent under

function keep(words = text.value) {
  const draft = {words, selected, key, session: session()?.session_id};
  try { words ? sessionStorage.setItem("bar", JSON.stringify(draft)) : sessionStorage.removeItem("bar"); } catch { /* not kept */ }
}

function restore() {
  let draft = null;
  try { draft = JSON.parse(sessionStorage.getItem("bar")); } catch { return; }
  if (!draft || text.value) return;
  text.value = draft.words;
  if (draft.session === session()?.session_id) ({selected, key} = draft);
  controls();
}

// what the guest does

text.addEventListener("input", () => { key = null; keep(); count(); });
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); say.requestSubmit(); }
});
say.addEventListener("submit", (event) => {
  event.preventDefault();
  if (busy) return;
  const content = text.value;
  key = key || newKey();
  keep();
  text.value = "";
  pending(content);
  act(async () => {
    try {
      await insist("/bar/message", {session_id: session().session_id, content, selected_agent: selected}, key);
    } catch (error) {
      text.value = content;
      log.querySelectorAll(".pending, .thinking").forEach((one) => one.remove());
      throw error;
    }
    key = null;
    keep("");
    await look();
  }).then(() => { if (inside()) text.focus(); });
});

function pending(content) {
  const made = make("article", "line mine pending");
  made.append(make("p", "words", content));
  const thinking = make("p", "thinking", "···");
  thinking.setAttribute("aria-hidden", "true");
  log.append(made, thinking);
  log.scrollTop = log.scrollHeight;
}

for (const [agent, person] of Object.entries(people)) {
  person.querySelector(".portrait").addEventListener("click", () => {
    selected = selected === agent ? null : agent;
    key = null;
    keep();
    controls();
    text.focus();
  });
  person.querySelector(".mute")?.addEventListener("click", () => act(async () => {
    const muted = !seen.agents_muted.includes(agent);
    await insist("/bar/mute", {session_id: session().session_id, agent, muted}, newKey());
    await look();
  }));
}
byId("not-so").addEventListener("click", () => act(async () => {
  await insist("/bar/session/take_back", {session_id: session().session_id}, newKey());
  await look();
}));
byId("leave").addEventListener("click", () => act(async () => {
  await insist("/bar/session/end", {session_id: session().session_id}, newKey());
  await look();
}));
knock.addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    const code = byId("code").value.trim();
    await insist("/bar/session/start", code ? {invite_code: code} : {}, newKey());
    await look();
    restore();
  }).then(() => { if (inside()) text.focus(); });
});

document.querySelectorAll(".contact").forEach((one) => one.replaceChildren(...linked(one.textContent)));
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") byId("help").open = false; });
setInterval(() => { if (!document.hidden && !busy) look(); }, LOOK);
look().then(() => { if (seen) restore(); });
