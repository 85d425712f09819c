// Takes hold of the things of a finished video: by mouse, finger and keys. Where they are put is written into the form.
//
// `data-place` of a thing: x, y and size in the scene; left, top, width and height of its box in the frame; the camera's zoom.

const STEP = 0.01;
const STRIDE = 0.05;
const GROWTH = 1.1;
const [SMALLEST, LARGEST] = [0.05, 0.85];

const field = document.querySelector('#arrangement');
const buttons = [...document.querySelectorAll('#make-again, #put-back')];
const between = (value, least, most) => Math.min(Math.max(value, least), most);
const rounded = (value) => Math.round(value * 1e4) / 1e4;
const percent = (value) => `${Math.round(value * 100)} %`;

class Thing {
  constructor(element) {
    const [x, y, size, left, top, width, height, zoom] = element.dataset.place.split(' ').map(Number);
    const { shot, slot, carriedBy } = element.dataset;
    Object.assign(this, { element, zoom, carriedBy, shot: Number(shot), slot: Number(slot) });
    Object.assign(this, { home: { x, y, size }, box: { left, top, width, height } });
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
    this.element.classList.toggle('moved', this.isMoved);
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
    if (this.element.querySelector('canvas') || video.readyState < 2) return;
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
  buttons.forEach((button) => (button.disabled = moved.length === 0));
}

function putBack(thing) {
  const along = things.filter((other) => other.root() === thing.root());
  along.forEach((other) => other.goHome());
  tell(thing);
}

function say(thing) {
  const name = thing.element.textContent.trim();
  const size = thing.isSized ? `, ${percent(thing.size / thing.home.size)} of its size` : '';
  document.querySelector('#spoken').textContent = `${name}: ${percent(thing.x)} from the left, ${percent(thing.y)} from above${size}`;
}

function listen(thing) {
  const { element } = thing;
  let held = null;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.querySelector('button').focus();
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

for (const thing of things) if (thing.carriedBy === undefined) listen(thing);
document.querySelector('#put-back')?.addEventListener('click', () => things.forEach(putBack));
for (const video of document.querySelectorAll('.arrange video')) {
  const ratio = video.width / video.height;
  Object.assign(video.parentElement.style, { aspectRatio: `${ratio}`, width: `min(100%, ${72 * ratio}svh)` });
  const seek = () => (video.currentTime = Number(video.dataset.seconds));
  if (video.readyState > 0) seek();
  video.addEventListener('loadedmetadata', seek);
  video.addEventListener('error', () => (document.querySelector('#arrange-problem').hidden = false));
}
document.documentElement.dataset.arranges = '';
