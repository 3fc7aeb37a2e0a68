// What a drive feels, and how far its slider goes by that.
const BRISK = 50; // rad/s² of what turns; times the length of the mechanism, m/s² of what slides
const FELT = 1e-12; // less is nothing: the joint is held, or too heavy for any drive

// The acceleration that a drive gives its joint for each N or N m, all else as it is now.
export function felt(run, { input, qdd }) {
  const { instance, values } = run,
    saved = instance.save();
  const now = values[input],
    before = values[qdd];
  const [least, most] = limits(run.variables[input]);
  const probe = Math.min(1, (most - least) / 2);
  const way = now + probe <= most ? probe : -probe;
  const gain = instance.set(input, now + way) ? (instance.read()?.[qdd] - before) / way : 0;
  instance.restore(saved);
  run.look("change");
  return gain > FELT ? gain : undefined;
}

const limits = ({ min, max }) => [min ?? -Infinity, max ?? Infinity];

function roundedUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((n) => x <= n * power * (1 + 1e-9));
}

// From where to where: a brisk motion, or twice what holds the joint against all else as it starts;
// what is recorded, too; never beyond the limits. Undefined where nothing is felt.
function reach(run, drive) {
  const gain = felt(run, drive);
  if (gain === undefined) return undefined;
  const { input, qdd } = drive,
    { values, variables, data } = run;
  const brisk = variables[qdd].unit === "m/s2" ? BRISK * data.length : BRISK;
  const free = Math.abs(values[qdd] - gain * values[input]);
  const high = roundedUp(Math.max(brisk, 2 * free) / gain);
  const [least, most] = limits(variables[input]);
  const told = run.drivers.recording?.told(input) ?? [];
  return {
    low: Math.max(Math.min(-high, ...told), least),
    high: Math.min(Math.max(high, ...told), most),
  };
}

// Sliders of drives go by what is felt at the start, where there is one.
export function fitDrives(run) {
  if (run.failed) return;
  for (const drive of run.data.drives) Object.assign(run.variables[drive.input], reach(run, drive));
}
