// A page that follows a match: it asks every two seconds with the tag of what it shows, asks at
// once after sleep or lost signal, and says when it last heard.
(() => {
  const LATE = 7000;
  let heard = Date.now();
  let late = false;
  const follow = () => document.getElementById("follow");
  const time = (moment) => new Date(moment).toLocaleTimeString();

  function show() {
    const line = document.getElementById("heard");
    const lost = !navigator.onLine || Date.now() - heard > LATE;
    if (line) line.textContent = lost ? `No connection. This is from ${time(heard)}.` : `Live, ${time(heard)}`;
    if (lost === late) return;
    late = lost;
    document.documentElement.classList.toggle("late", late);
    const said = document.getElementById("heard-said");
    if (said) said.textContent = late ? line.textContent : "Live again.";
  }

  function catchUp() {
    if (document.hidden || !follow()) return;
    htmx.trigger(follow(), "htmx:abort"); // a question asked before the sleep has no answer any more
    htmx.trigger(follow(), "follow-now");
    awake();
  }

  // A screen that shows a match stays on, where the browser lets it.
  const awake = () => {
    if (document.body.classList.contains("on-live")) navigator.wakeLock?.request("screen").catch(() => {});
  };

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.target.id !== "follow") return;
    if (document.hidden) return event.preventDefault();
    const tag = document.querySelector("[data-etag]")?.dataset.etag;
    if (tag) event.detail.headers["If-None-Match"] = `"${tag}"`;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target.id !== "follow" || ![200, 204, 304].includes(event.detail.xhr.status)) return;
    heard = Date.now();
    show();
  });

  document.addEventListener("visibilitychange", catchUp);
  window.addEventListener("online", catchUp);
  window.addEventListener("pageshow", catchUp);
  window.addEventListener("offline", show);
  setInterval(show, 1000);
})();
