// What every page needs: a fresh page after Back, and a word when the server was not reached.
(() => {
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  const tell = (text) => {
    const place = document.getElementById("trouble");
    if (!place) return;
    place.textContent = text;
    place.hidden = !text;
  };
  const writes = (event) => event.detail.requestConfig?.elt?.matches("form");

  document.addEventListener("htmx:sendError", (event) => {
    if (writes(event)) tell("Not stored: the server was not reached. What is typed is still here; try again.");
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (writes(event)) tell("Not stored: the server refused it. What is typed is still here; reload to see the sheet.");
  });
})();
