// Light or dark: as the system likes it, until somebody chooses.
const night = window.matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

export const theme = () => root.dataset.theme ?? (night.matches ? "dark" : "light");

export function setTheme(name) {
  root.dataset.theme = name;
  root.dispatchEvent(new Event("theme"));
}

export const toggleTheme = () => setTheme(theme() === "dark" ? "light" : "dark");

// Call whenever it changes, until a signal ends that.
export function onTheme(call, signal) {
  root.addEventListener("theme", call, { signal });
  night.addEventListener("change", call, { signal });
}
