"use strict";
const by = (id) => document.getElementById(id);
const tests = [...document.querySelectorAll("details.attempt")];
const filter = () => {
  const row = by("row").value, outcome = by("outcome").value, words = by("words").value.trim().toLowerCase();
  let shown = 0;
  for (const test of tests) {
    const fits = (!row || test.dataset.row === row) && (!outcome || test.dataset.outcome === outcome)
      && (!words || test.textContent.toLowerCase().includes(words));
    test.hidden = !fits;
    shown += fits;
  }
  by("shown").value = `${shown} of ${tests.length} shown`;
};
if (tests.length) {
  by("filters").hidden = false;
  by("filters").addEventListener("input", filter);
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  filter();
}
if (tests.length && !tests[0].classList.contains("good")) tests[0].open = true;
for (const picture of document.querySelectorAll(".pic")) {
  picture.addEventListener("click", () => picture.classList.toggle("large"));
}
