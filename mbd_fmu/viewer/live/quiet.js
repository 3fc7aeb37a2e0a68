// Whether who looks likes little to move: then nothing moves before it is asked to, and no eye glides.
export const quiet = window.matchMedia("(prefers-reduced-motion: reduce)");
