// Enter goes on to the next field of the sheet, as on a calculator; from the last one to the button.
(() => {
  const form = document.getElementById("paper");
  if (!form) return;
  const fields = [...form.querySelectorAll(".line select, .line input")];
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".line select, .line input")) return;
    event.preventDefault();
    const next = fields[fields.indexOf(event.target) + 1] ?? form.querySelector("[name=enter]");
    next.focus();
    if (next.matches("input")) next.select();
  });
})();
