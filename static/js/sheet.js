// A button for what the browser's menu does anyway.
(() => {
  const button = document.querySelector(".print");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => window.print());
})();
