// What is seen as an address, and an address seen: settings, drivers, plots, camera, and the state.
import { read, written } from "./address.js";
import { SPEEDS } from "./run.js";

export class Link {
  constructor(page) {
    Object.assign(this, { page, run: page.run, data: page.data });
  }

  // Everything that makes what is seen, by names: a link outlives other orders of variables.
  seen() {
    const { run, data, page } = this,
      { picture } = page;
    const named = (index) => data.variables[index].name;
    return {
      settings: [...run.settings].map(([index, value]) => [named(index), value]),
      drivers: page.driverPanel.written(),
      recorded: this.recorded,
      plots: page.plots.chosen.map(named),
      shown: page.toolbar.shown,
      speed: run.speed,
      camera: picture && [picture.camera.position.toArray(), picture.controls.target.toArray()],
      state: run.failed ? undefined : run.instance.save(),
    };
  }

  // Which recording drives, and what: it does not travel with a link, but the page's own is there.
  get recorded() {
    const { recording, own } = this.run.drivers;
    if (!recording) return undefined;
    const drives = recording.inputs.map((index) => this.data.variables[index].name);
    return { name: recording.name, own: recording.values === own?.values, drives };
  }

  async write() {
    const { page } = this;
    this.run.pause();
    page.grab?.release();
    page.sight?.arrive();
    const { recorded } = this,
      { hash, isWhole } = await written(this.seen());
    history.replaceState(null, "", hash);
    const lacks = [
      ...(isWhole ? [] : ["the state would make it too long: it shows the start"]),
      ...(recorded && !recorded.own ? [`${recorded.name} stays behind: send the file along`] : []),
    ];
    const but = lacks.map((words) => `; ${words}`).join("");
    try {
      await navigator.clipboard.writeText(location.href);
      page.say(`The address shows what you see, and is copied${but}.`, false);
    } catch {
      page.say(`The address of this page now shows what you see${but}.`, false);
    }
  }

  // To what the address shows; else another way, and what we do not know is told.
  async follow(hash, otherwise = () => undefined) {
    const seen = await read(hash);
    if (seen) return this.open(seen);
    otherwise();
    if (hash.length > 1) this.page.say("The address says nothing that this page knows.", false);
  }

  open(seen) {
    const { run, page } = this,
      known = (name) => page.find(name) >= 0,
      settable = (name) => known(name) && run.variables[page.find(name)].role !== "output";
    run.pause();
    run.settings = new Map(
      seen.settings.filter(([name]) => settable(name)).map(([n, x]) => [page.find(n), x]),
    );
    const lacks = this.takeRecording(seen.recorded);
    page.driverPanel.take(seen.drivers, page.find);
    run.restart();
    if (seen.state && !run.failed && !run.instance.restore(seen.state))
      lacks.push("The link is of another build: it shows the start.");
    if (lacks.length) page.say(lacks.join(" "), false);
    run.instance.messages();
    if (!run.failed) run.look("change"); // before the camera is set: it goes along with what travels
    page.plotPanel.choose(seen.plots.filter(known).map(page.find));
    page.toolbar.shown = seen.shown;
    run.speed = SPEEDS.includes(seen.speed) ? seen.speed : run.speed;
    page.toolbar.find(".speed").value = String(run.speed);
    if (seen.camera) page.sight?.lookFrom(...seen.camera);
    page.choose();
  }

  // The page's own, as far as it drove; what is said of another.
  takeRecording(recorded) {
    const { drivers } = this.run,
      { own } = drivers;
    drivers.list = [];
    if (!recorded) return [];
    const { name, drives } = recorded;
    if (!recorded.own || !own)
      return [`The link was made with ${name}, which stayed behind: choose that file to go on with it.`];
    const freed = own.inputs.filter((index) => !drives.includes(this.data.variables[index].name));
    drivers.list = [own.without(freed)].filter(Boolean);
    return [];
  }
}
