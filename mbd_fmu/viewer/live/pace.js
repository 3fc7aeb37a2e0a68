// Whether the motion keeps up with the clock: the share of what was asked for that was given.
const WINDOW = 1; // s: told once for each, so that it can be read

export class Pace {
  constructor() {
    this.begin();
  }

  begin() {
    this.share = 1;
    this.clear();
  }

  clear() {
    this.seconds = this.asked = this.lost = 0;
  }

  // Of one frame: how long it took, the time of the motion that was due, and what was left out.
  count(seconds, asked, lost) {
    this.seconds += seconds;
    this.asked += asked;
    this.lost += lost;
    if (this.seconds < WINDOW) return;
    this.share = 1 - this.lost / this.asked;
    this.clear();
  }

  get isLate() {
    return this.share < 0.97; // a frame that comes late now and then is nothing to speak of
  }
}
