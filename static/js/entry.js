// The number pad of a hand's form. It fills fields and moves on; every figure comes from the server.
(() => {
  const form = () => document.getElementById("entry");
  const shown = (input) => input.offsetParent !== null;
  const fields = () => [...form().querySelectorAll(".fields input")].filter(shown);
  const active = () => {
    const all = fields();
    return all.find((input) => input.closest(".field").classList.contains("active")) ?? all[0];
  };
  const limit = () => Number(document.getElementById("entry-action").dataset.limit);
  const changed = () => form().dispatchEvent(new CustomEvent("entry-changed"));

  function activate(input) {
    for (const field of form().querySelectorAll(".field")) field.classList.remove("active");
    input?.closest(".field").classList.add("active");
  }

  function onward(input) {
    const all = fields();
    const next = all[all.indexOf(input) + 1];
    if (!next) return;
    activate(next);
    next.scrollIntoView({ block: "nearest" });
    if (document.activeElement === input) next.focus();
  }

  // A knocker's count is full when no further digit could stay within the limit, the other's with
  // two digits: no ten cards hold a hundred.
  const full = (input) =>
    (input.name.endsWith("knocker_deadwood") && input.value !== "" && Number(input.value) * 10 > limit()) ||
    (input.name.endsWith("opponent_deadwood") && input.value.length > 1);

  function press(key) {
    const input = active();
    if (!input) return;
    if (key === "next") return onward(input);
    if (key === "back") {
      if (input.value === "") {
        const all = fields();
        activate(all[Math.max(0, all.indexOf(input) - 1)]);
      } else input.value = input.value.slice(0, -1);
    } else {
      if (input.value.length >= Math.min(3, input.maxLength)) return;
      input.value += key;
      if (input.value === "0" || full(input)) onward(input);
    }
    changed();
  }

  function showUpcard(box) {
    const rank = box.querySelector("[name$=upcard_rank]:checked");
    const suit = box.querySelector("[name$=upcard_suit]:checked");
    const text = (input) => input?.nextElementSibling.textContent ?? "";
    box.querySelector(".upcard-shown").textContent = text(rank) + text(suit);
    if (rank && suit) box.open = false;
  }

  // Who did not play cannot have knocked or won.
  function unpick(scope) {
    for (const label of scope.querySelectorAll(".seated")) {
      const input = label.querySelector(":checked");
      if (input && !shown(label)) input.checked = false;
    }
  }

  function chosen(input) {
    const scope = input.closest(".scope");
    if (input.name.includes("upcard")) return showUpcard(input.closest(".upcard"));
    if (input.name.endsWith("pair")) {
      unpick(scope);
      input.closest("details").open = false;
    }
    const empty = (one) => one.value === "";
    activate(fields().find((one) => scope.contains(one) && empty(one)) ?? fields().find(empty) ?? fields()[0]);
  }

  function ready() {
    if (!form()) return;
    // The phone's own keyboard stays away: the number pad is here.
    if (window.matchMedia("(pointer: coarse)").matches) {
      for (const input of form().querySelectorAll(".fields input")) input.inputMode = "none";
    }
    const wrong = form().querySelector(".fields .wrong input");
    const empty = fields().find((input) => input.value === "");
    activate(wrong ?? empty ?? fields()[0]);
    if (!wrong && form().querySelector("[name$=who]:checked, [name$=winner]:checked")) changed();
  }

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]");
    if (key && form()) press(key.dataset.key);
  });
  // Who knocked and the counts come along to the cards; no card is ever in an address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".to-cards");
    if (!link || !form()) return;
    const typed = new FormData(form());
    const query = new URLSearchParams();
    for (const name of ["who", "how", "knocker_deadwood", "opponent_deadwood", "upcard_rank", "upcard_suit"]) {
      if (typed.get("mode") === "counts" && typed.get(name)) query.set(name, typed.get(name));
    }
    link.search = query.toString();
  });
  document.addEventListener("focusin", (event) => {
    if (form() && event.target.matches(".fields input")) activate(event.target);
  });
  document.addEventListener("input", (event) => {
    if (!form()?.contains(event.target)) return;
    if (event.target.type === "radio") chosen(event.target);
    else if (full(event.target)) onward(event.target);
    changed();
  });
  document.addEventListener("keydown", (event) => {
    if (!form() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=radio]), textarea, select")) return;
    if (/^[0-9]$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") press("back");
    else return;
    event.preventDefault();
  });
  // Settled, not swapped: until then htmx keeps the old attributes on what it put in.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "pad") {
      ready();
      // Whoever was in the form that went goes on in the one that came.
      if (document.activeElement === document.body) {
        event.target.querySelector(".sheet-below").focus({ preventScroll: true });
      }
      return;
    }
    if (event.target.id !== "entry-action") return;
    const action = document.getElementById("entry-action");
    const said = document.getElementById("entry-said");
    if (!action || !said) return;
    said.textContent = action.dataset.said;
    said.classList.toggle("trouble", action.classList.contains("trouble"));
    const terms = action.dataset.terms.split("|");
    form().querySelectorAll(".entry-terms").forEach((place, at) => (place.textContent = terms[at] ?? ""));
  });
  // Not before htmx has taken up the page: it listens for the first change too.
  document.addEventListener("DOMContentLoaded", ready);
})();
