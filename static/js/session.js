// What is typed on the pad stays, whoever else writes in the match and whatever becomes of the
// session. The pad follows the other phone whole while nothing is typed; else its score and hands
// do, and the form is left alone, with the version that it was typed against.
(() => {
  const pad = () => document.getElementById("pad");
  const form = () => document.getElementById("entry");
  const asked = (event) => event.detail.requestConfig?.elt?.id === "follow";
  let kept = null;
  let loggedOut = false;

  function typed() {
    if ([...document.querySelectorAll("#sign [name=note]")].some((input) => input.value !== "")) return true;
    if (!form()) return false;
    const chosen = form().querySelector("[name=who]:checked, [name=winner]:checked, .upcard :checked");
    const written = [...form().querySelectorAll(".fields input, [name=note]")].some((input) => input.value !== "");
    return Boolean(chosen) || written;
  }

  function tell(text) {
    const place = document.getElementById("trouble");
    if (!place || place.textContent === text) return;
    place.textContent = text;
    place.hidden = !text;
  }

  // What was unfolded stays so.
  const opened = () => [...pad().querySelectorAll("details[open]")].map((one) => one.className);
  function reopen(names) {
    for (const one of pad().querySelectorAll("details")) if (names.includes(one.className)) one.open = true;
  }

  function followAround(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("pad");
    const open = opened();
    for (const part of [".scores", ".hands"]) {
      const now = fresh.querySelector(part);
      pad().querySelector(part).replaceWith(now);
      htmx.process(now);
    }
    reopen(open);
    // A login in another tab gave this browser another token.
    const token = fresh.querySelector("[name=csrfmiddlewaretoken]")?.value;
    if (token) for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = token;
    if (loggedOut) tell("");
    loggedOut = false;
    if (fresh.dataset.version !== pad().dataset.version) {
      tell("Somebody else wrote in this match meanwhile: look above. What you typed is still here, and nothing of it is stored.");
    }
    Object.assign(pad().dataset, fresh.dataset);
  }

  // How the form stands while nothing is typed in it: which way of entering, which field.
  const stance = () => ({
    mode: form()?.querySelector("[name=mode]:checked")?.value,
    how: form()?.querySelector("[name=how]:checked")?.value,
    focus: form()?.contains(document.activeElement) ? document.activeElement.name : null,
    open: opened(),
  });

  function resume({ mode, how, focus, open }) {
    reopen(open);
    for (const [name, value] of [["mode", mode], ["how", how]]) {
      const input = value && form()?.querySelector(`[name="${name}"][value="${CSS.escape(value)}"]`);
      if (input) input.checked = true;
    }
    if (focus) form()?.querySelector(`[name="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!asked(event) || !event.detail.shouldSwap) return;
    if (pad().classList.contains("htmx-request") || form()?.classList.contains("htmx-request")) {
      event.detail.shouldSwap = false; // a hand is on its way: its own answer comes next
    } else if (typed()) {
      event.detail.shouldSwap = false;
      followAround(event.detail.serverResponse);
    } else kept = stance();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!kept || event.target.id !== "pad") return;
    resume(kept);
    kept = null;
  });
  document.addEventListener("session-ended", (event) => {
    if (!typed()) return window.location.assign(event.detail.login);
    loggedOut = true;
    tell("You are logged out. Nothing is lost: enter the hand, log in, and it is here again to be stored.");
  });
})();
