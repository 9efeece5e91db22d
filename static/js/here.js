// Runs before the page is drawn: what needs a script shows only where one runs.
document.documentElement.classList.add("js");
