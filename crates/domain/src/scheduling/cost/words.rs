//! What a prompt tells of the time of a stage: a scene with more in it takes longer to draw, and more of a file to be written.
//!
//! A word counts as one of 1,024, by its hash (Weinberger et al. 2009), so what is kept of a prompt is a few numbers that name nothing. Each has an effect on the
//! logarithm of the part of a time that goes by shape and steps, and on that of the constant one: by ridge regression over the last measurements, and between two of
//! these by a Kalman filter with a diagonal covariance. A word that was never measured changes nothing.

use super::fit::trust;
use std::{array, collections::BTreeMap, fmt, num::ParseIntError, str::FromStr};

/// Words that are told apart.
const BUCKETS: u32 = 1024;
/// The first words of a prompt that count.
const WORDS_MAX: usize = 16;
/// How much a word may change a time: the standard deviation of its effect, in the prior.
const WORD_SD: f64 = 0.1;
/// Rounds over all words.
const SWEEPS: usize = 4;

/// The words of a prompt, as far as times go by them: numbers below 1,024, each once, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    numbers: [u16; WORDS_MAX],
    count: usize,
}

impl Words {
    /// Of a prompt that is not known.
    pub const NONE: Self = Self { numbers: [0; WORDS_MAX], count: 0 };

    /// Of a prompt in whatever case and script.
    #[must_use]
    pub fn of(prompt: &str) -> Self {
        let words = prompt.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
        Self::of_numbers(words.map(|word| number(&word.to_lowercase())))
    }

    fn of_numbers(numbers: impl Iterator<Item = u16>) -> Self {
        let mut words = Self::NONE;
        for number in numbers {
            if words.count == WORDS_MAX {
                break;
            }
            if !words.as_slice().contains(&number) {
                words.numbers[words.count] = number;
                words.count += 1;
            }
        }
        words.numbers[..words.count].sort_unstable();
        words
    }

    fn as_slice(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

/// Its numbers with blanks between them, as the store keeps them.
impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.as_slice().iter().map(u16::to_string).collect();
        f.write_str(&numbers.join(" "))
    }
}

impl FromStr for Words {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<u16> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self::of_numbers(numbers.into_iter().filter(|number| u32::from(*number) < BUCKETS)))
    }
}

/// By Fowler, Noll and Vo's hash (FNV-1a) of 32 bits, folded.
fn number(word: &str) -> u16 {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    ((hash ^ (hash >> 16)) % BUCKETS) as u16
}

/// What the curve leaves of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    pub words: Words,
    /// Which part of the time goes by shape and steps.
    pub share: f64,
    /// By how much its logarithm is more than the curve's.
    pub ln_ms: f64,
    /// How much it counts, at most 1.
    pub weight: f64,
}

/// What words do to the time of a stage of a model on a kind of device.
#[derive(Debug, Clone, Default)]
pub struct Effects(BTreeMap<u16, Effect>);

/// Of one word, on the logarithm of the part that goes by shape and steps, and on that of the constant one.
#[derive(Debug, Clone, Copy)]
struct Effect {
    ln: [f64; 2],
    variance: [f64; 2],
}

impl Effect {
    const UNKNOWN: Self = Self { ln: [0.0; 2], variance: [WORD_SD * WORD_SD; 2] };
}

impl Effects {
    /// Least squares with a prior, blind to what is far off, word by word. `noise`: variance of the logarithm of a measurement.
    pub fn through(mut left: Vec<Left>, noise: f64) -> Self {
        let mut places: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (place, left) in left.iter().enumerate() {
            for word in left.words.as_slice() {
                places.entry(*word).or_default().push(place);
            }
        }
        let mut effects = Self(places.keys().map(|word| (*word, Effect::UNKNOWN)).collect());
        for _ in 0..SWEEPS {
            for (effect, places) in effects.0.values_mut().zip(places.values()) {
                for part in 0..2 {
                    effect.refit(part, places, &mut left, noise);
                }
            }
        }
        effects
    }

    /// What these words add to the logarithm of a time of which `share` goes by shape and steps.
    pub fn of(&self, words: Words, share: f64) -> f64 {
        let known = words.as_slice().iter().filter_map(|word| self.0.get(word));
        known.map(|effect| (0..2).map(|part| share_of(part, share) * effect.ln[part]).sum::<f64>()).sum()
    }

    /// `off`: by how much the logarithm was more than what was predicted; `noise`: the variance of what is not the words'.
    pub fn learn(&mut self, words: Words, share: f64, off: f64, noise: f64) {
        let parts: [f64; 2] = array::from_fn(|part| share_of(part, share));
        let variance = |word| self.0.get(word).unwrap_or(&Effect::UNKNOWN).variance;
        let of_words: f64 =
            words.as_slice().iter().map(variance).map(|of| (0..2).map(|part| parts[part].powi(2) * of[part]).sum::<f64>()).sum();
        let total = of_words + noise / trust(off * off / (of_words + noise));
        for word in words.as_slice() {
            let effect = self.0.entry(*word).or_insert(Effect::UNKNOWN);
            for (part, share) in parts.into_iter().enumerate() {
                let believed = share * effect.variance[part] / total;
                effect.ln[part] += believed * off;
                effect.variance[part] -= believed * share * effect.variance[part];
            }
        }
    }
}

impl Effect {
    /// By what all other effects leave of the measurements at these places, in which it then leaves as much less.
    fn refit(&mut self, part: usize, places: &[usize], left: &mut [Left], noise: f64) {
        let usual = noise + WORD_SD * WORD_SD;
        let (mut information, mut pull) = (1.0 / (WORD_SD * WORD_SD), 0.0);
        for left in places.iter().map(|place| &left[*place]) {
            let share = share_of(part, left.share);
            let weight = left.weight * trust(left.ln_ms * left.ln_ms / usual) / noise;
            information += weight * share * share;
            pull += weight * share * (left.ln_ms + share * self.ln[part]);
        }
        let more = pull / information - self.ln[part];
        for place in places {
            left[*place].ln_ms -= share_of(part, left[*place].share) * more;
        }
        self.ln[part] += more;
        self.variance[part] = 1.0 / information;
    }
}

/// How much of a time the part is whose effect stands there.
const fn share_of(part: usize, share: f64) -> f64 {
    if part == 0 { share } else { 1.0 - share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_in_any_case_and_order_and_are_read_again() {
        let words = Words::of("A dog, a DOG and the sea");
        assert_eq!(words, Words::of("the sea and a dog"));
        assert_eq!((words.to_string().parse(), words.count), (Ok(words), 5));
        assert_eq!((Words::of(" ,; "), "".parse()), (Words::NONE, Ok(Words::NONE)));
        assert_ne!(Words::of("犬が走る"), Words::NONE);
        assert_eq!("1 70000".parse::<Words>().ok(), None);
        assert_eq!("1 5000 1 7".parse::<Words>().unwrap().as_slice(), [1, 7]);
    }

    #[test]
    fn only_the_first_words_of_a_long_prompt_count() {
        let long: String = (0..500).map(|n| format!("word{n} ")).collect();
        assert_eq!(Words::of(&long).count, WORDS_MAX);
    }

    #[test]
    fn the_word_that_makes_the_difference_is_found_among_others() {
        let left = |prompt, ln_ms| Left { words: Words::of(prompt), share: 1.0, ln_ms, weight: 1.0 };
        let rows = (0..20).flat_map(|_| [left("a dog in the snow", 0.4), left("a dog in the sun", 0.0), left("a cat in the sun", 0.0)]);
        let effects = Effects::through(rows.collect(), 0.01);
        let of = |prompt| effects.of(Words::of(prompt), 1.0);
        assert!((of("a dog in the snow") - 0.4).abs() < 0.05 && of("a dog in the sun").abs() < 0.05, "{effects:?}");
        assert!(of("a mouse in snow") > 0.2 && of("nothing of that").abs() < 0.1);
        assert!(effects.of(Words::of("a dog in the snow"), 0.0).abs() < 1e-9, "the constant part was not seen");
    }
}
