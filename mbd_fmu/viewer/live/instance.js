// One instance of the mechanism: the code of the FMU as WebAssembly, with its clock.
const text = new TextDecoder();

export class Instance {
  constructor(module, count, length) {
    Object.assign(this, { module, count });
    this.code = new WebAssembly.Instance(module, {}).exports;
    this.code._initialize();
    this.self = this.code.live_new();
    if (!this.self) throw new Error("there is not enough memory for the mechanism");
    this.clock = { origin: 0, steps: 0, length };
  }

  // Of the same code, as new.
  another() {
    return new Instance(this.module, this.count, this.clock.length);
  }

  // Time is counted, not added up: many steps do not let it drift.
  get time() {
    const { origin, steps, length } = this.clock;
    return origin + steps * length;
  }

  // The memory may have grown since it was looked at last.
  get values() {
    const { code, self, count } = this;
    return new Float64Array(code.memory.buffer, code.live_values(self), count);
  }

  // All variables, as they are now; undefined: a message says why not.
  read() {
    return this.code.live_get(this.self, 0, this.count) ? this.values : undefined;
  }

  set(index, value) {
    this.values[index] = value;
    return this.code.live_set(this.self, index, 1) === 1;
  }

  // As new, with other values of parameters and inputs; then the motion begins.
  begin(settings) {
    this.code.live_reset(this.self);
    this.clock = { origin: 0, steps: 0, length: this.clock.length };
    for (const [index, value] of settings) if (!this.set(index, value)) return false;
    return this.code.live_begin(this.self, 0) === 1;
  }

  step() {
    const done = this.code.live_step(this.self, this.time, this.clock.length) === 1;
    if (done) this.clock.steps++;
    return done;
  }

  get place() {
    const { code, self } = this;
    return new Uint8Array(code.memory.buffer, code.live_state(self), code.live_state_size(self));
  }

  save() {
    this.code.live_save(this.self);
    return { bytes: this.place.slice(), clock: { ...this.clock } };
  }

  restore({ bytes, clock }) {
    if (bytes.length !== this.place.length) return false;
    this.place.set(bytes);
    if (!this.code.live_restore(this.self)) return false;
    this.clock = { ...clock };
    return true;
  }

  // What was said since, each with its category: [["logStatusError", "step: ..."], ...].
  messages() {
    const memory = new Uint8Array(this.code.memory.buffer);
    const from = this.code.live_messages(this.self);
    const lines = text.decode(memory.slice(from, memory.indexOf(0, from))).split("\n");
    return lines.filter(Boolean).map((line) => {
      const end = line.indexOf(": ");
      return [line.slice(0, end), line.slice(end + 2)];
    });
  }
}
