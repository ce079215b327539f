const house = {
  keep(stream, ticket) { localStorage.setItem("phantom/" + stream, ticket); localStorage.setItem("phantom", stream); },
  last() { return localStorage.getItem("phantom"); },
  async ask(method, path, body, key) {
    const headers = key ? {"Idempotency-Key": key} : {};
    const ticket = localStorage.getItem("phantom/" + decodeURIComponent((path.match(/players\/([^/?]+)/) || [])[1] || ""));
    if (ticket) headers.Authorization = "Bearer " + ticket;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try { answer = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)}); }
    catch { throw new Error("The house cannot be reached. Try again in a moment."); }
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(house.sentence(told.detail || "That did not work."));
    return told;
  },
  sentence(words) { words = words.charAt(0).toUpperCase() + words.slice(1); return /[.!?]$/.test(words) ? words : words + "."; },
  say(where, words, good) { const at = document.getElementById(where); at.textContent = words; at.classList.toggle("good", !!good); },
  async busy(element, where, act) {
    const buttons = element.matches("button") ? [element] : [...element.querySelectorAll("button")];
    buttons.forEach((one) => one.disabled = true);
    house.say(where, "");
    try { await act(); } catch (error) { house.say(where, error.message); }
    finally { buttons.forEach((one) => one.disabled = false); }
  },
};
