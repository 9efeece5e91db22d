// The deal buttons carry the names as they are typed.
(() => {
  const show = (input) => {
    const label = document.querySelector(`[data-name="${input.name}"]`);
    if (label) label.textContent = input.value.trim() || (input.name === "first" ? "First" : "Second");
  };
  for (const input of document.querySelectorAll(".names input")) {
    input.addEventListener("input", () => show(input));
    show(input);
  }
})();
