// The page of a table over time: signals without a mechanism.
import "./signals.js";
