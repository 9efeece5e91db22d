// The menu, and the panel with the QR code, close when one looks elsewhere.
(() => {
  const menu = () => document.querySelector(".menu[open], .show-others[open]");
  document.addEventListener("click", (event) => {
    const open = menu();
    if (open && !open.contains(event.target)) open.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const open = menu();
    if (event.key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
})();
