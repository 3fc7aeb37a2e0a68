// What is said over the picture: a note and an alarm, until something new begins or they are closed.
import { place } from "./place.js";

function row(line) {
  const close = place("button", { type: "button", className: "close", title: "close" });
  close.setAttribute("aria-label", "close the message");
  close.addEventListener("click", () => (line.textContent = ""));
  return place("div", { className: "said" }, line, close);
}

export class Messages {
  constructor() {
    this.note = place("p", { className: "message", role: "status" });
    this.alarm = place("p", { className: "message alarm", role: "alert" });
    this.element = place("div", { className: "messages" }, row(this.note), row(this.alarm));
  }

  say(words, isError) {
    (isError ? this.alarm : this.note).textContent = words;
  }

  clear() {
    this.note.textContent = this.alarm.textContent = "";
  }
}
