// Takes hold of the things of a finished video: by mouse, finger and keys. Where they are put is written into the form.
// What is chosen or pointed at has its name beside it; below the picture are buttons for what is chosen.
// What is moved is a draft: this tab keeps it until it is put back or its account signs out.
//
// `data-place` of a thing: x, y and size in the scene; left, top, width and height of its box in the frame; the camera's zoom.

const STEP = 0.01;
const STRIDE = 0.05;
const GROWTH = 1.1;
const [SMALLEST, LARGEST] = [0.05, 0.85];

const field = document.querySelector('#arrangement');
const [makeAgain, putAllBack] = ['#make-again', '#put-back'].map((id) => document.querySelector(id));
const between = (value, least, most) => Math.min(Math.max(value, least), most);
const rounded = (value) => Math.round(value * 1e4) / 1e4;
const percent = (value) => `${Math.round(value * 100)} %`;

class Thing {
  constructor(element) {
    const [x, y, size, left, top, width, height, zoom] = element.dataset.place.split(' ').map(Number);
    const { shot, slot, carriedBy } = element.dataset;
    Object.assign(this, { element, zoom, carriedBy, shot: Number(shot), slot: Number(slot) });
    Object.assign(this, { home: { x, y, size }, box: { left, top, width, height }, name: element.dataset.told });
    this.goHome();
  }

  goHome() {
    Object.assign(this, this.home, { isMoved: false, isSized: false });
    this.element.querySelector('canvas')?.remove();
    this.draw();
  }

  /** Puts the frame where its thing, or what carries that, has been moved. */
  draw() {
    const root = this.root();
    const grown = this.size / this.home.size;
    const { left, top, width, height } = this.box;
    const across = (root.x - root.home.x) * this.zoom + (width * (1 - grown)) / 2;
    const down = (root.y - root.home.y) * this.zoom + height * (1 - grown);
    const edges = { left: left + across, top: top + down, width: width * grown, height: height * grown };
    for (const [edge, share] of Object.entries(edges)) this.element.style[edge] = `${share * 100}%`;
    // What is small lies over what is large, so that each can be taken hold of.
    this.element.style.zIndex = `${Math.round(1000 * (1 - Math.min(1, edges.width * edges.height)))}`;
    this.element.classList.toggle('moved', this.isMoved);
    if (named === this) label(this);
  }

  root() {
    const carrier = things.find((other) => other.shot === this.shot && String(other.slot) === this.carriedBy);
    return carrier ? carrier.root() : this;
  }

  moveTo(x, y) {
    Object.assign(this, { x: between(x, 0, 1), y: between(y, 0, 1), isMoved: true });
    tell(this);
  }

  grow(factor) {
    Object.assign(this, { size: between(this.size * factor, SMALLEST, LARGEST), isMoved: true, isSized: true });
    tell(this);
  }

  /** A copy of its part of the picture goes with it. */
  lift() {
    const video = this.element.parentElement.querySelector('video');
    if (this.element.querySelector('canvas') || video.readyState < 2 || video.seeking) return;
    const canvas = document.createElement('canvas');
    const { left, top, width, height } = this.box;
    const [across, down] = [video.videoWidth, video.videoHeight];
    Object.assign(canvas, { width: Math.max(1, width * across), height: Math.max(1, height * down) });
    canvas.getContext('2d').drawImage(video, left * across, top * down, width * across, height * down, 0, 0, canvas.width, canvas.height);
    this.element.prepend(canvas);
  }

  isAt(pin) {
    return pin.shot === this.shot && pin.slot === this.slot;
  }

  /** A size that was given before stays given; what stands partly outside is put at the edge. */
  pin() {
    const { shot, slot } = this;
    const isSized = this.isSized || before.some((pin) => this.isAt(pin) && pin.size !== undefined);
    const [x, y] = [this.x, this.y].map((value) => rounded(between(value, 0, 1)));
    return { shot, slot, x, y, ...(isSized && { size: rounded(this.size) }) };
  }
}

/** The thing whose name stands beside it: what is pointed at, or else what is chosen. */
let named = null;
let chosen = null;

/** Puts a name above its thing or, without room there, below or in it; never outside of the picture. */
function label(thing) {
  named = thing;
  for (const sign of document.querySelectorAll('.arrange > .thing-name')) {
    const frame = sign.parentElement;
    sign.hidden = frame !== thing?.element.parentElement;
    if (sign.hidden) continue;
    sign.textContent = thing.name;
    const [all, box] = [frame.getBoundingClientRect(), thing.element.getBoundingClientRect()];
    const [{ offsetWidth: width, offsetHeight: height }, gap] = [sign, 4];
    const [top, bottom] = [box.top - all.top - height - gap, box.bottom - all.top + gap];
    const y = top >= gap ? top : bottom + height + gap <= all.height ? bottom : gap;
    sign.style.left = `${between(box.left - all.left, gap, Math.max(gap, all.width - width - gap))}px`;
    sign.style.top = `${y}px`;
  }
}

/** What is chosen stays so until another thing is, also while one of the buttons for it has the focus. */
function choose(thing) {
  chosen = thing;
  for (const { element } of things) element.classList.toggle('chosen', element === thing.element);
  label(thing);
  showTools();
}

function showTools() {
  for (const tools of document.querySelectorAll('.thing-tools')) {
    const own = chosen && tools.parentElement.contains(chosen.element) ? chosen : null;
    tools.querySelector('[data-chosen]').textContent = own ? `${own.name}${sizeOf(own)}` : 'No thing is chosen.';
    for (const button of tools.querySelectorAll('button')) {
      const { act } = button.dataset;
      const isUseless = { back: !own?.isMoved, smaller: own?.size <= SMALLEST, larger: own?.size >= LARGEST }[act];
      // What has the focus keeps it.
      button.disabled = !own || (isUseless && button !== document.activeElement);
    }
  }
}

const sizeOf = (thing) => (thing.isSized ? `, ${percent(thing.size / thing.home.size)} of its size` : '');

const things = [];
for (const element of document.querySelectorAll('.thing')) things.push(new Thing(element));

/** What was put somewhere in this video stays there in the next one. */
const before = JSON.parse(field?.value || '[]');

function tell(thing) {
  const along = things.filter((other) => other.root() === thing.root());
  along.forEach((other) => other.draw());
  if (thing.isMoved) along.forEach((other) => other.lift());
  const moved = things.filter((other) => other.isMoved);
  const stays = before.filter((pin) => !moved.some((other) => other.isAt(pin)));
  field.value = JSON.stringify([...stays, ...moved.map((other) => other.pin())]);
  keep(moved);
  showButtons();
  showTools();
}

function showButtons() {
  const isNone = !things.some((thing) => thing.isMoved);
  makeAgain.disabled = isNone;
  // What has the focus keeps it.
  putAllBack.disabled = isNone && putAllBack !== document.activeElement;
}

function putBack(thing) {
  const along = things.filter((other) => other.root() === thing.root());
  along.forEach((other) => other.goHome());
  tell(thing);
}

function say(thing) {
  speak(`${thing.name}: ${percent(thing.x)} from the left, ${percent(thing.y)} from above${sizeOf(thing)}`);
}

function speak(text) {
  document.querySelector('#spoken').textContent = text;
}

/** With the name of the form, so that the same sent again is the same submission. Drafts of an account begin with its name. */
const draft = () => `draft:${field.form.elements.author.value}:arrange:${location.pathname}`;

function keep(moved) {
  const places = moved.map(({ shot, slot, x, y, size, isSized }) => ({ shot, slot, x, y, size, isSized }));
  try {
    if (places.length === 0) sessionStorage.removeItem(draft());
    else sessionStorage.setItem(draft(), JSON.stringify({ once: field.form.elements.once.value, places }));
  } catch {
    // A browser that keeps nothing.
  }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(draft()));
  } catch {
    return null;
  }
}

function bringBack() {
  const { once, places } = kept() ?? { places: [] };
  if (once) field.form.elements.once.value = once;
  const moved = places.map((place) => [things.find((thing) => thing.isAt(place)), place]).filter(([thing]) => thing);
  for (const [thing, place] of moved) Object.assign(thing, place, { isMoved: true });
  for (const [thing] of moved) tell(thing);
}

/** What is carried takes its carrier along when it is dragged. */
function listen({ element }, thing) {
  let held = null;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    thing.element.querySelector('button').focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    held = { x: thing.x, y: thing.y, left: event.clientX, top: event.clientY };
  });
  element.addEventListener('pointermove', (event) => {
    if (!held) return;
    const { width, height } = element.parentElement.getBoundingClientRect();
    const [across, down] = [(event.clientX - held.left) / width, (event.clientY - held.top) / height];
    thing.moveTo(held.x + across / thing.zoom, held.y + down / thing.zoom);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    element.addEventListener(end, () => {
      if (held && thing.isMoved) say(thing);
      held = null;
    });
  }
  if (element !== thing.element) return;
  element.addEventListener('focusin', () => choose(thing));
  element.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? STRIDE : STEP;
    const acts = {
      ArrowLeft: () => thing.moveTo(thing.x - step, thing.y),
      ArrowRight: () => thing.moveTo(thing.x + step, thing.y),
      ArrowUp: () => thing.moveTo(thing.x, thing.y - step),
      ArrowDown: () => thing.moveTo(thing.x, thing.y + step),
      '+': () => thing.grow(GROWTH),
      '=': () => thing.grow(GROWTH),
      '-': () => thing.grow(1 / GROWTH),
      Escape: () => putBack(thing),
    };
    if (!Object.hasOwn(acts, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[event.key]();
    say(thing);
  });
}

for (const thing of things) {
  listen(thing, thing.root());
  thing.element.addEventListener('pointerenter', () => label(thing));
  thing.element.addEventListener('pointerleave', () => label(chosen));
}
for (const tools of document.querySelectorAll('.thing-tools')) {
  tools.addEventListener('click', (event) => {
    const { act } = event.target.closest('button')?.dataset ?? {};
    const acts = { smaller: () => chosen.grow(1 / GROWTH), larger: () => chosen.grow(GROWTH), back: () => putBack(chosen) };
    if (!act || !chosen) return;
    acts[act]();
    say(chosen);
  });
}
window.addEventListener('resize', () => label(named));
putAllBack?.addEventListener('click', () => {
  things.forEach(putBack);
  speak('Everything is back where it was.');
});
putAllBack?.addEventListener('blur', showButtons);
for (const video of document.querySelectorAll('.arrange video')) {
  const ratio = video.width / video.height;
  Object.assign(video.parentElement.style, { aspectRatio: `${ratio}`, width: `min(100%, ${62 * ratio}svh)` });
  const seek = () => (video.currentTime = Number(video.dataset.seconds));
  if (video.readyState > 0) seek();
  video.addEventListener('loadedmetadata', seek);
  // What was moved before there was a picture.
  video.addEventListener('seeked', () => {
    for (const thing of things) if (thing.root().isMoved && video.parentElement.contains(thing.element)) thing.lift();
  });
  video.addEventListener('error', () => (document.querySelector('#arrange-problem').hidden = false));
}
if (field) bringBack();
document.documentElement.dataset.arranges = '';
