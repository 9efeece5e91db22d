// Tapping two spreads. It moves cards between the fields of the form, as the server does for
// pages without a script (ginledger/matches/spreads.py); every count and ruling comes from there.
(() => {
  const form = document.getElementById("check");
  if (!form) return;
  const FULL = 10, MOST = 11, RANKS = "A23456789TJQK";
  const CARD = "(?:10|[A2-9TJQK])[CDHS♣♦♥♠♧♢♡♤]";
  const GLUED = new RegExp(`^(?:${CARD}){2,}$`, "i");
  const ONE = new RegExp(CARD, "gi");
  const field = (name) => form.elements.namedItem(name);
  const hands = [0, 1].map((place) => form.querySelector(`[data-hand="${place}"]`));
  const tabs = [...form.querySelectorAll(".tab")];
  const players = tabs.filter((tab) => tab.dataset.place !== "u");
  const cells = [...form.querySelectorAll(".cell")];
  const said = document.getElementById("check-said");
  const upcard = field("upcard");
  const symbol = (card) => card[0].replace("T", "10") + "♠♥♦♣"["SHDC".indexOf(card[1])];
  const name = (place) => players[place].dataset.name;
  let unsent = false;
  let last = "";

  // What the fields hold
  const words = (text) => text.replace(/[\ufe0e\ufe0f]/g, "").split(/[\s,;]+/).filter(Boolean)
    .flatMap((word) => (GLUED.test(word) ? word.match(ONE) : [word]));
  function cardOf(word) {
    if (!new RegExp(`^${CARD}$`, "i").test(word)) return "";
    const at = "♣♦♥♠♧♢♡♤".indexOf(word.at(-1));
    const suit = at < 0 ? word.at(-1).toUpperCase() : "CDHS"[at % 4];
    return word.slice(0, -1).toUpperCase().replace("10", "T") + suit;
  }
  const held = (place) => new Set(words(hands[place].value).map(cardOf).filter(Boolean));
  const who = () => (field("who") ? field("who").value : "0");
  const room = (place) => (who() === String(place) ? MOST : FULL);
  const active = () => field("active").value;
  const activePlace = () => (active() === "u" ? 0 : Number(active()));

  // What a press does
  function setMode(mode) {
    field("mode_now").value = mode;
    field("start").value = "";
  }
  function setHand(place, list) {
    hands[place].value = list.join(" ");
    if (who() === String(place)) clearLayout();
  }
  function clearLayout() {
    const melds = document.getElementById("melds");
    if (melds) melds.value = "";
  }
  function give(wanted) {
    const place = activePlace();
    const mine = held(place), others = held(1 - place);
    const taken = wanted.filter((card) => others.has(card));
    const fresh = wanted.filter((card) => !others.has(card) && !mine.has(card));
    const places = Math.max(0, room(place) - mine.size);
    const told = [];
    if (taken.length && !fresh.length) told.push(`${taken.map(symbol).join(" ")}: ${name(1 - place)} has it.`);
    if (fresh.length > places) told.push(`${name(place)} has ${room(place)} cards: take one back first.`);
    setMode("");
    if (fresh.length && places) {
      setHand(place, [...words(hands[place].value), ...fresh.slice(0, places)]);
      last = fresh[0];
      if (held(place).size >= FULL) told.push(onward(String(1 - place)));
    }
    return told.join(" ");
  }
  function onward(place) {
    if (held(Number(place)).size >= FULL) return "";
    field("active").value = place;
    return `Now ${name(Number(place))}’s cards.`;
  }
  function takeBack(place, card) {
    setHand(place, words(hands[place].value).filter((word) => cardOf(word) !== card));
    return "";
  }
  const run = (one, other) => {
    const [low, high] = [RANKS.indexOf(one[0]), RANKS.indexOf(other[0])].sort((a, b) => a - b);
    return [...RANKS.slice(low, high + 1)].map((rank) => rank + one[1]);
  };
  const rankOf = (card) => [..."CDHS"].map((suit) => card[0] + suit);
  const press = {
    tab(value) {
      setMode("");
      field("active").value = value;
      if (value === "u" || who() !== "") return "";
      field("who").value = value;
      clearLayout();
      return held(Number(value)).size >= FULL ? onward(String(1 - value)) : "";
    },
    tap(card) {
      const mode = field("mode_now").value, start = field("start").value;
      if (active() === "u") {
        upcard.value = card;
        const order = who() === "1" ? ["1", "0"] : ["0", "1"];
        return onward(order[0]) || onward(order[1]) || ((field("active").value = order[0]), "");
      }
      if (mode === "set") return give(rankOf(card));
      if (mode === "run") {
        if (start && start[1] === card[1]) return give(run(start, card));
        field("start").value = card;
        return "";
      }
      if (held(activePlace()).has(card)) return takeBack(activePlace(), card);
      return give([card]);
    },
    rank: (card) => give(rankOf(card)),
    throw: (card) => takeBack(Number(who()), card),
    mode(value) {
      setMode(field("mode_now").value === value ? "" : value);
      return "";
    },
    swap() {
      field("who").value = String(1 - who());
      clearLayout();
      return "";
    },
    clear() {
      setMode("");
      if (active() === "u") upcard.value = "";
      else setHand(activePlace(), []);
      return "";
    },
  };

  // What the page shows of it
  function hint() {
    const mode = field("mode_now").value;
    if (mode === "set") return "Tap a card: all of its rank that are free.";
    if (mode === "run") return field("start").value ? "Now its other end." : "Tap both ends of the run.";
    return "";
  }
  function draw(told = "") {
    const both = [held(0), held(1)];
    const up = upcard ? cardOf(upcard.value.trim()) : "";
    for (const cell of cells) {
      const owner = both.findIndex((hand) => hand.has(cell.value));
      cell.dataset.owner = owner < 0 ? "" : owner;
      cell.setAttribute("aria-pressed", String(owner >= 0));
      cell.setAttribute("aria-label", owner < 0 ? cell.dataset.label : `${cell.dataset.label}, ${name(owner)}`);
      cell.querySelector(".mark").textContent = owner < 0 ? "" : players[owner].dataset.mark;
      cell.classList.toggle("upcard", cell.value === up);
      cell.classList.toggle("start", cell.value === field("start").value);
    }
    for (const tab of tabs) {
      const decided = tab.dataset.place === "u" || who() !== "";
      tab.setAttribute("aria-pressed", String(decided && tab.dataset.place === active()));
      if (tab.dataset.place === "u") {
        tab.querySelector(".upcard-shown").textContent = up ? symbol(up) : "?";
        continue;
      }
      const place = Number(tab.dataset.place);
      tab.querySelector(".count").textContent = both[place].size;
      tab.querySelector(".room").textContent = Math.max(FULL, both[place].size);
      const knocked = tab.querySelector(".knocked");
      if (knocked) knocked.hidden = who() !== "" && who() !== tab.dataset.place;
    }
    for (const tool of form.querySelectorAll("[name=mode]")) {
      tool.setAttribute("aria-pressed", String(tool.value === field("mode_now").value));
    }
    const swap = form.querySelector(".swap");
    if (swap) {
      swap.hidden = who() === "";
      if (who() !== "") swap.querySelector(".swap-words").textContent = `No, ${name(1 - who())} knocked`;
    }
    said.textContent = told || hint();
  }
  function changed() {
    unsent = true;
    form.dispatchEvent(new CustomEvent("spread-changed"));
  }
  function act(kind, value) {
    draw(press[kind](value));
    changed();
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name]");
    if (!button || !(button.name in press)) return;
    event.preventDefault();
    if (dragged) return;
    if (button.name === "tap" && event.shiftKey && last[1] === button.value[1]) {
      draw(give(run(last, button.value)));
      changed();
    } else act(button.name, button.value);
  });

  // A run in one stroke: press its one end and draw to the other
  let from = null;
  let dragged = false;
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
  const sketch = (list) => {
    for (const cell of cells) cell.classList.toggle("in-run", list.includes(cell.value));
  };
  form.addEventListener("pointerdown", (event) => {
    dragged = false;
    from = event.button === 0 && active() !== "u" ? event.target.closest(".cell") : null;
  });
  form.addEventListener("pointermove", (event) => {
    if (!from) return;
    const cell = under(event);
    const along = cell && cell !== from && cell.value[1] === from.value[1];
    sketch(along ? run(from.value, cell.value) : []);
  });
  form.addEventListener("pointerup", (event) => {
    const cell = from && under(event);
    sketch([]);
    if (cell && cell !== from && cell.value[1] === from.value[1]) {
      draw(give(run(from.value, cell.value)));
      changed();
      dragged = true;
      // The click of this stroke, if one comes, is not a tap.
      setTimeout(() => { dragged = false; });
    }
    from = null;
  });
  form.addEventListener("pointercancel", () => { from = null; sketch([]); });
  // A stroke sideways is no scrolling of the page: else the tap after it would only stop a fling.
  let begun = null;
  const grid = form.querySelector(".grid");
  grid.addEventListener("touchstart", (event) => { begun = event.touches[0]; }, { passive: true });
  grid.addEventListener("touchmove", (event) => {
    const { clientX, clientY } = event.touches[0];
    const sideways = Math.abs(clientX - begun.clientX) > Math.abs(clientY - begun.clientY);
    if (from && sideways && event.touches.length === 1 && event.cancelable) event.preventDefault();
  }, { passive: false });


  // Arrow keys walk the grid; one card of it is in the order of tabs
  let current = cells[0];
  function stand(cell) {
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
  }
  for (const cell of cells) cell.tabIndex = -1;
  stand(cells[0]);
  form.addEventListener("focusin", (event) => {
    if (event.target.matches(".cell")) stand(event.target);
  });
  const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
  form.addEventListener("keydown", (event) => {
    if (!event.target.matches(".cell") || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cells.indexOf(event.target), first = at - (at % 13);
    const next = event.key === "Home" ? cells[first] : event.key === "End" ? cells[first + 12] : cells[at + STEPS[event.key]];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // Typing, counts, what stands, the rules of a link
  form.addEventListener("input", (event) => {
    if (event.target.matches("[data-hand], [name=upcard], [name^=said_]")) {
      draw();
      changed();
    }
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("[name=m], [name=stands], select, .rules-of-link input, [name=note]")) changed();
  });
  // htmx would send the button last pressed along: what it did is in the fields already.
  form.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== form) return;
    for (const button of form.querySelectorAll("button[name]")) event.detail.formData.delete(button.name);
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt === form && event.detail.successful) unsent = false;
  });
  // A fresh ruling keeps what is open and chosen in it, and the place of who works by keyboard.
  const ruling = () => document.getElementById("ruling");
  let kept = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "ruling") return;
    const asked = event.detail.requestConfig.elt;
    const values = (found) => [...ruling().querySelectorAll(found)].map((one) => one.value || one.className);
    kept = { open: values("details[open]"), picks: asked === form ? values("[name=pick]:checked") : [], pressed: asked !== form };
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!kept) return;
    for (const details of ruling().querySelectorAll("details")) details.open ||= kept.open.includes(details.className);
    for (const pick of ruling().querySelectorAll("[name=pick]")) pick.checked = kept.picks.includes(pick.value);
    if (kept.pressed) ruling().focus({ preventScroll: true });
    kept = null;
  });
  form.addEventListener("submit", () => { unsent = false; });
  window.addEventListener("pagehide", () => {
    if (!unsent || form.method !== "post") return;
    fetch(form.action, { method: "POST", body: new FormData(form), keepalive: true, headers: { "HX-Request": "true" } });
  });

  // The link of a ruling: handed to the phone's own way of sending, or copied
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-send]");
    if (!link || !(navigator.share || navigator.clipboard)) return;
    event.preventDefault();
    const words = link.textContent;
    try {
      if (navigator.share && window.matchMedia("(pointer: coarse)").matches) await navigator.share({ url: link.href });
      else {
        await navigator.clipboard.writeText(link.href);
        link.textContent = "Copied";
        setTimeout(() => { link.textContent = words; }, 2000);
      }
    } catch (refused) {
      if (refused.name !== "AbortError") window.location.assign(link.href);
    }
  });

  if (window.matchMedia("(min-width: 760px)").matches) form.querySelector(".typed").open = true;
  draw(said.textContent);
})();
