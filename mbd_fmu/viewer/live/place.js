// An element of the page: what it has, and what stands in it.
export function place(tag, more = {}, ...children) {
  const made = Object.assign(document.createElement(tag), more);
  made.append(...children);
  return made;
}
