// The deal buttons carry the names as they are typed; the rules follow how many play.
(() => {
  // A club that is made with this match keeps the time of whoever starts it.
  const zone = document.querySelector(".new [name=zone]");
  if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";

  const show = (input) => {
    const label = input.closest("label").querySelector(".label").textContent;
    for (const place of document.querySelectorAll(`[data-name="${input.name}"]`)) {
      place.textContent = input.value.trim() || label;
    }
  };
  for (const input of document.querySelectorAll(".names input")) {
    input.addEventListener("input", () => show(input));
    show(input);
  }

  const visible = (input) => input.closest("label").offsetParent !== null;
  const choose = (name) => {
    const all = [...document.querySelectorAll(`.new [name="${name}"]`)];
    if (all.some((input) => input.checked && visible(input))) return;
    const first = all.find(visible);
    if (first) first.checked = true;
  };
  // On the fieldset: the form's own listener then finds the rules that go with the seating.
  document.querySelector(".seating")?.addEventListener("change", () => {
    choose("rules");
    choose("dealer");
  });
})();
