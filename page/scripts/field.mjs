// A field of a number: it shows all digits while it has the focus, and what is no number is marked and not taken.
import { element } from "../../app/serve/page/element.mjs";
import { typed, whole } from "./number.mjs";

// `now()` is the number; `take(value)` hears another one, at each `event` of the field.
export function numberField({ name, className, now, event, take }) {
  const input = element("input", { className, type: "text", autocomplete: "off", spellcheck: false, "aria-label": name });
  input.addEventListener("focus", () => {
    input.value = whole(now());
    input.select();
  });
  input.addEventListener(event, () => {
    const value = typed(input.value);
    input.setAttribute("aria-invalid", value === null);
    if (value !== null) take(value);
  });
  return input;
}
