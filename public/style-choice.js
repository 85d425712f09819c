// The choice of a style writes a word into the prompt, and what the form reads in the prompt marks the choice: only the prompt is sent.

const prompt = document.querySelector('#prompt');
const reading = document.querySelector('#prompt-words');
const styles = document.querySelector('.styles');
const choices = [...styles.querySelectorAll('input')];

/** The words of the prompt that choose its style, as far as is known. */
let words = '';
/** What was chosen before anything was typed. */
let waiting = null;
/** What a choice had written and was taken out for a model without styles. */
let taken = '';
let wereHidden = styles.hidden;
let composing = false;

/** Where some words stand in a text, rather as whole words than inside of another: [start, end]; undefined where they do not. */
function find(text, words) {
  if (!words) return undefined;
  const escaped = words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const whole = `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`;
  // The last of them: that is where a choice is written.
  const found = [whole, escaped].map((pattern) => [...text.matchAll(new RegExp(pattern, 'giu'))].pop()).find(Boolean);
  return found && [found.index, found.index + found[0].length];
}

/** Writes into the prompt so that the browser's own undo takes it back as well; on a screen that is touched no keyboard is to open. */
function replace(text, start, end) {
  const [focused, from, to, before] = [document.activeElement, prompt.selectionStart, prompt.selectionEnd, prompt.value];
  let isWritten = false;
  if (!matchMedia('(pointer: coarse)').matches) {
    prompt.focus({ preventScroll: true });
    prompt.setSelectionRange(start, end);
    isWritten = document.execCommand(text ? 'insertText' : 'delete', false, text);
  }
  if (!isWritten) {
    prompt.setRangeText(text, start, end, 'preserve');
    prompt.dispatchEvent(new Event('input', { bubbles: true }));
    return;
  }
  const grown = prompt.value.length - before.length;
  const kept = (place) => (place <= start ? place : place >= end ? place + grown : start);
  prompt.setSelectionRange(kept(from), kept(to));
  if (focused !== prompt) focused?.focus({ preventScroll: true });
}

/** In the place of other words for a style, else at the end, before its full stop; no words take those away that are there. */
function write(chosen) {
  const text = prompt.value;
  const place = find(text, words);
  words = chosen;
  if (place) {
    let [start, end] = place;
    if (!chosen) {
      start = text.slice(0, start).search(/[\s,;،，、]*$/);
      if (start === 0) end += text.slice(end).search(/[^\s,;،，、]|$/);
    }
    replace(chosen, start, end);
  } else if (chosen) {
    const end = text.search(/[\s,;،，、.!?…。！？؟]*$/);
    const stop = text.slice(end).match(/[.!?…。！？؟]+/)?.[0] ?? '';
    replace(`, ${chosen}${stop}`, end, text.length);
  }
}

/** Of a model without styles, what a choice has written at the end goes from the prompt; it comes back with a model that has them. */
function follow() {
  if (styles.hidden === wereHidden) return;
  wereHidden = styles.hidden;
  if (wereHidden) {
    const last = choices.map((choice) => choice.dataset.words).find((all) => all && new RegExp(`, ${all}[\\s.!?…。！？؟]*$`).test(prompt.value));
    if (!last) return;
    [taken, words] = [last, last];
    write('');
    tell(`“${last}” is taken out of the prompt: this model has no styles.`);
  } else if (taken) {
    const isFree = !choices.some((choice) => find(prompt.value, choice.dataset.words));
    if (isFree && prompt.value.trim()) write(taken);
    taken = '';
    tell('');
  }
}

/** Says something where the choice stands, also while that is hidden. */
function tell(text) {
  let said = document.querySelector('#style-told');
  if (!said) {
    said = Object.assign(document.createElement('p'), { id: 'style-told', className: 'hint' });
    said.setAttribute('role', 'status');
    styles.after(said);
  }
  said.textContent = text;
}

function choose(choice) {
  waiting = prompt.value.trim() ? null : choice;
  if (!waiting) write(choice.dataset.words);
}

/** What was chosen for an empty prompt is written once there is something in it, unless that has a style already. */
function catchUp(event) {
  if (!waiting || event.isComposing || !prompt.value.trim()) return;
  const { words: chosen } = waiting.dataset;
  waiting = null;
  if (chosen && styles.checkVisibility()) write(chosen);
}

function mark() {
  if (waiting) {
    // A draft that was brought back fills the prompt without a keystroke.
    if (prompt.value.trim()) catchUp({ isComposing: composing });
    return;
  }
  // While nothing is said of the prompt, what was chosen for it stays as long as it stands there.
  if (!reading.firstChild && find(prompt.value, words)) return;
  const { style, word } = reading.querySelector('[data-style]')?.dataset ?? { style: 'none', word: '' };
  // What was written stands there also while nothing, or only a part of it, is said to be a style.
  const kept = find(prompt.value, words) && words.toLowerCase().includes(word.toLowerCase());
  if (!kept) words = word;
  for (const choice of choices) choice.checked = choice.value === style;
}

for (const choice of choices) choice.addEventListener('change', () => choose(choice));
prompt.addEventListener('input', catchUp);
// What was taken back at once has never been read, so nothing else tells of it.
prompt.addEventListener('input', () => words && !find(prompt.value, words) && mark());
prompt.addEventListener('compositionstart', () => (composing = true));
prompt.addEventListener('compositionend', (event) => {
  composing = false;
  catchUp(event);
});
new MutationObserver(follow).observe(styles, { attributes: true, attributeFilter: ['hidden'] });
new MutationObserver(mark).observe(reading, { childList: true });
mark();
