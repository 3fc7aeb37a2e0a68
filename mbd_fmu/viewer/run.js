// The page of runs: mechanisms in motion and their signals.
import "./page.js";
import "./signals.js";
