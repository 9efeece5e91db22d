// The deal buttons carry the names as they are typed; the rules follow how many play.
(() => {
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
