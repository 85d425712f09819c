// The choice of a style writes a word into the prompt, and what the form reads in the prompt marks the choice: only the prompt is sent.

const prompt = document.querySelector('#prompt');
const reading = document.querySelector('#prompt-words');
const styles = document.querySelector('.styles');
const choices = [...styles.querySelectorAll('input')];

/** The words of the prompt that choose its style, as far as is known. */
let words = '';
/** What was chosen before anything was typed. */
let waiting = null;
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

/** In the place of other words for a style, else at the end, before its full stop; no words take those away that are there. */
function write(chosen) {
  const text = prompt.value;
  const place = find(text, words);
  if (place) {
    let [start, end] = place;
    if (!chosen) {
      start = text.slice(0, start).search(/[\s,;،，、]*$/);
      if (start === 0) end += text.slice(end).search(/[^\s,;،，、]|$/);
    }
    prompt.setRangeText(chosen, start, end, 'preserve');
  } else if (chosen) {
    const end = text.search(/[\s,;،，、.!?…。！？؟]*$/);
    const stop = text.slice(end).match(/[.!?…。！？؟]+/)?.[0] ?? '';
    prompt.setRangeText(`, ${chosen}${stop}`, end, text.length, 'preserve');
  }
  words = chosen;
  prompt.dispatchEvent(new Event('input', { bubbles: true }));
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
  const { style, word } = reading.querySelector('[data-style]')?.dataset ?? { style: 'none', word: '' };
  // What was written stands there also while nothing, or only a part of it, is said to be a style.
  const kept = find(prompt.value, words) && words.toLowerCase().includes(word.toLowerCase());
  if (!kept) words = word;
  for (const choice of choices) choice.checked = choice.value === style;
}

for (const choice of choices) choice.addEventListener('change', () => choose(choice));
prompt.addEventListener('input', catchUp);
prompt.addEventListener('compositionstart', () => (composing = true));
prompt.addEventListener('compositionend', (event) => {
  composing = false;
  catchUp(event);
});
new MutationObserver(mark).observe(reading, { childList: true });
mark();
