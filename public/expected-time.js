// Asks how long a video would take, now and then while its page is looked at, and says it in the words of the page (`MakeAgain`).

const REFRESH_MS = 25_000;

const part = document.querySelector('.ticket [data-model]');

/** `4 s`, `2 min 5 s`, `1 h 4 min`, as the server says it. */
function about(ms) {
  const s = Math.max(1, Math.ceil(ms / 1000));
  const [large, small, units] = s < 3600 ? [s / 60, s % 60, ['min', 's']] : [s / 3600, (s % 3600) / 60, ['h', 'min']];
  const numbers = [large, small].map(Math.floor);
  return units.map((unit, at) => numbers[at] > 0 && `${numbers[at]} ${unit}`).filter(Boolean).join(' ');
}

/** The figure and the line below it. */
function wordsFor({ Ok: eta, Err: none }) {
  if (eta) return [about(eta.p50_ms), `Nine of ten take at most ${about(eta.p90_ms)}, queue included.`];
  if (none === 'NoWorker') return ['No machine is running', 'It waits in line, and starts when a machine is back.'];
  return none ? ['No estimate yet', ''] : ['–', 'The time cannot be told right now.'];
}

async function ask() {
  if (document.hidden) return;
  const { model, size, durationMs, steps } = part.dataset;
  const query = new URLSearchParams({ model, size, duration_ms: durationMs, steps });
  const answer = await fetch(`/api/expected-time?${query}`).catch(() => null);
  const told = answer?.ok ? await answer.json().catch(() => ({})) : {};
  const [figure, bound] = wordsFor(told);
  const place = part.querySelector('.figure');
  place.textContent = figure;
  place.classList.toggle('words', Boolean(told.Err));
  part.querySelector('.hint').textContent = bound;
}

if (part) {
  setInterval(ask, REFRESH_MS);
  document.addEventListener('visibilitychange', ask);
}
