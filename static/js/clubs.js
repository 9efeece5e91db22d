// A new club keeps the time of whoever makes it, unless he chooses another.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const select = document.querySelector("[data-own-zone] [name=time_zone]");
  if (select && [...select.options].some((option) => option.value === zone)) select.value = zone;
})();
