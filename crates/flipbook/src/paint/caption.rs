//! What is written over the picture: one or two lines of round letters with an outline, that pop in one after the other
//! and keep bobbing.

use std::f32::consts::TAU;

use resvg::tiny_skia::{LineCap, LineJoin, Path, PathBuilder, Stroke, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};
use unicode_normalization::UnicodeNormalization;

use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::Kind;
use crate::layout::extent;
use crate::paint::film::{Film, Moment};
use crate::paint::things::lightness;

/// Latin, Vietnamese, Cyrillic and Greek; its licence lies beside it.
static FONT: &[u8] = include_bytes!("../../data/lettering.ttf");
/// Size of the letters (an em) where the line is short enough, in short sides.
const SIZE: f32 = 0.105;
/// Of the frame's width that lines may fill, and of its height that stays free above or below.
const FILL: f32 = 0.88;
const MARGIN: f32 = 0.045;
/// Of the frame's height that all lines take at most.
const HIGHEST: f32 = 0.36;
/// Lines at most, and by how much letters shrink before there is one more.
const LINES: usize = 4;
const SHRINK: f32 = 2.0;
/// What hiding a head costs more than hiding anything else, and what unrest behind the letters costs, in shares of the frame.
const HEADS: f32 = 4.0;
const UNREST: f32 = 0.12;
/// From line to line, and from letter to letter beyond the letters' own widths, in ems.
const LEADING: f32 = 1.12;
const SPACING: f32 = 0.022;
/// Of the outline, in ems.
const OUTLINE: f32 = 0.17;
/// Seconds before the first letter, until the last one at most, from letter to letter at most, and that a letter takes to come; less
/// in a short shot.
const START: f32 = 0.1;
const SPREAD: f32 = 0.9;
const PAUSE: f32 = 0.06;
const POP: f32 = 0.32;
/// Seconds of a shot that give letters their time.
const UNHURRIED: f32 = 2.0;

/// A letter of a line.
#[derive(Clone, Copy, Debug)]
struct Letter {
    glyph: GlyphId,
    /// Of its middle, in ems from the middle of the line.
    x: f32,
    /// In ems.
    width: f32,
}

#[derive(Clone, Debug, Default)]
struct Line {
    letters: Vec<Letter>,
    /// In ems.
    width: f32,
}

impl Film {
    /// Writes the program's caption, in the coordinates of the frame: the camera does not move it. Characters that the font
    /// lacks are left out.
    pub(super) fn caption(&self, c: &mut Canvas, m: &Moment) {
        let Some(text) = &self.program.caption else { return };
        let Ok(face) = Face::parse(FONT, 0) else { return };
        let room = FILL * self.width;
        let lines = lines(&face, text, room / (SIZE * self.short));
        let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
        if widest <= 0.0 {
            return;
        }
        let rows = 0.95 + LEADING * (lines.len() - 1) as f32;
        let size = (SIZE * self.short).min(room / widest).min(HIGHEST * self.height / rows);
        let high = size * rows;
        let first = if self.writes_above(size * widest, high) {
            MARGIN * self.height + 0.78 * size
        } else {
            (1.0 - MARGIN) * self.height - high + 0.74 * size
        };
        let Some(letters) = self.lettering(&face, m.t, &lines, size, first) else { return };
        let stroke = Stroke { width: OUTLINE * size, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(outline) = letters.stroke(&stroke, 1.0) {
            let dark = Rgb::hex(0x232046);
            c.within(Transform::from_translate(0.0, 0.05 * size), |c| c.fill(&outline, &Ink::flat(dark.times(0.6), 1.0)));
            c.fill(&outline, &Ink::flat(dark, 1.0));
        }
        let inks = [(Rgb::WHITE, 1.0), (Rgb::hex(0xfff0b8), 1.0)];
        c.fill(&letters, &Ink::linear([0.0, first - 0.7 * size], [0.0, first - 0.7 * size + high], &inks));
    }

    /// Whether a block of this width and height (pixels) hides less of the things, heads above all, and lies more calmly at the
    /// top than at the foot of the frame.
    fn writes_above(&self, width: f32, height: f32) -> bool {
        let (half, high) = (width / self.width / 2.0, height / self.height + MARGIN);
        let hidden = |top: f32, bottom: f32| -> f32 {
            let things = self.brief.slots.iter().zip(&self.layout.objects);
            things
                .map(|(slot, object)| {
                    let [w, h] = extent(slot, object.size, self.brief.aspect);
                    let (w, travel) = (w / 2.0 + object.dx.abs() / 2.0, object.dy.abs() / 2.0);
                    let across = (object.x + w).min(0.5 + half) - (object.x - w).max(0.5 - half);
                    let down = |from: f32, to: f32| ((to + travel).min(bottom) - (from - travel).max(top)).max(0.0);
                    let head = if matches!(slot.kind, Kind::Person | Kind::Animal) { down(object.y - h, object.y - 0.55 * h) } else { 0.0 };
                    across.max(0.0) * (down(object.y - h, object.y) + HEADS * head)
                })
                .sum()
        };
        let unrest = |top: f32| {
            let points = (0..24).map(|j| [(j % 8) as f32 / 7.0, top + high * (j / 8) as f32 / 2.0]);
            let seen: Vec<f32> = points.map(|[x, y]| lightness(self.seen_behind([x * self.width, y * self.height]))).collect();
            let mean = seen.iter().sum::<f32>() / seen.len() as f32;
            seen.iter().map(|light| (light - mean).abs()).sum::<f32>() / seen.len() as f32
        };
        hidden(0.0, high) + UNREST * unrest(0.0) <= hidden(1.0 - high, 1.0) + UNREST * unrest(1.0 - high)
    }

    /// All letters that are there `t` seconds into the clip; `size` of an em and `first` base line in pixels.
    fn lettering(&self, face: &Face, t: f32, lines: &[Line], size: f32, first: f32) -> Option<Path> {
        let count = lines.iter().map(|line| line.letters.len()).sum::<usize>().max(1) as f32;
        let mut path = PathBuilder::new();
        let mut place = 0.0;
        for (row, line) in lines.iter().enumerate() {
            for letter in &line.letters {
                let grown = grown(t, self.brief.seconds, place, count);
                let bob = (TAU * 0.42 * t - 0.55 * place).sin();
                place += 1.0;
                if grown <= 0.0 {
                    continue;
                }
                let (sin, cos) = (0.030 * (TAU * 0.31 * t - 0.9 * place).sin()).sin_cos();
                let scale = size * grown;
                let x = self.width / 2.0 + size * letter.x;
                let y = first + size * (LEADING * row as f32 + 0.032 * bob);
                // Letters turn and grow about the middle of a lower-case letter.
                let middle = [letter.width / 2.0, 0.26];
                let em = f32::from(face.units_per_em()).max(1.0);
                let mut pen = Pen {
                    path: &mut path,
                    at: |gx: f32, gy: f32| {
                        let (dx, dy) = ((gx / em - middle[0]) * scale, (middle[1] - gy / em) * scale);
                        [x + dx * cos - dy * sin, y - middle[1] * size + dx * sin + dy * cos]
                    },
                };
                face.outline_glyph(letter.glyph, &mut pen);
            }
        }
        path.finish()
    }
}

/// How large the letter `place` of so many is `t` seconds into a shot, in shares of itself.
fn grown(t: f32, seconds: f32, place: f32, count: f32) -> f32 {
    let hurry = (seconds / UNHURRIED).min(1.0);
    let pause = (SPREAD / count).min(PAUSE);
    popped((t - (START + pause * place) * hurry) / (POP * hurry))
}

/// From 0 to 1 and a little further on the way; `share` of the time that it takes.
fn popped(share: f32) -> f32 {
    if share <= 0.0 || share >= 1.0 {
        return share.clamp(0.0, 1.0);
    }
    let left = share - 1.0;
    1.0 + left * left * (2.9 * left + 1.9) // overshoots by a tenth
}

/// Whether the font has any letter of a text. Captions in other scripts (Arabic, Chinese...) are not written at all.
pub fn writes(text: &str) -> bool {
    let Ok(face) = Face::parse(FONT, 0) else { return false };
    text.nfc().any(|letter| letter.is_alphanumeric() && face.glyph_index(letter).is_some())
}

/// One line, or up to four where letters would have to be small otherwise; `room` is the width at full size, in ems.
fn lines(face: &Face, text: &str, room: f32) -> Vec<Line> {
    let words: Vec<Vec<char>> = text
        .nfc()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| *letter == ' ' || face.glyph_index(*letter).is_some())
        .collect::<String>()
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| word.chars().collect())
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let whole = line(face, &words);
    if whole.width <= 1.15 * room || words.len() == 1 {
        return vec![whole];
    }
    let mut broken = vec![whole.clone()];
    for count in 2..=LINES.min(words.len()) {
        broken = even(face, &words, whole.width, count);
        if broken.iter().all(|line| line.width <= SHRINK * room) {
            break;
        }
    }
    broken
}

/// At most `count` lines, the longest as short as may be; `whole` is the width of all words in one.
fn even(face: &Face, words: &[Vec<char>], whole: f32, count: usize) -> Vec<Line> {
    let filled = |limit: f32| {
        let (mut lines, mut from) = (Vec::new(), 0);
        while from < words.len() {
            let fits = |to: &usize| words.get(from..*to).is_some_and(|part| line(face, part).width <= limit);
            let to = (from + 2..=words.len()).take_while(fits).last().unwrap_or(from + 1);
            lines.extend(words.get(from..to).map(|part| line(face, part)));
            from = to;
        }
        lines
    };
    let limits = (0..=100).map(|step| whole * (1.0 / count as f32 + (1.0 - 1.0 / count as f32) * step as f32 / 100.0));
    limits.map(filled).find(|lines| lines.len() <= count).unwrap_or_else(|| filled(whole))
}

fn line(face: &Face, words: &[Vec<char>]) -> Line {
    let em = f32::from(face.units_per_em()).max(1.0);
    let advance = |glyph: GlyphId| face.glyph_hor_advance(glyph).map_or(0.5, |width| f32::from(width) / em);
    let blank = face.glyph_index(' ').map_or(0.26, advance);
    let (mut letters, mut end) = (Vec::new(), 0.0);
    for (place, word) in words.iter().enumerate() {
        end += if place == 0 { 0.0 } else { blank + SPACING };
        for glyph in word.iter().filter_map(|letter| face.glyph_index(*letter)) {
            let width = advance(glyph);
            letters.push(Letter { glyph, x: end + width / 2.0, width });
            end += width + SPACING;
        }
    }
    let width = (end - SPACING).max(0.0);
    for letter in &mut letters {
        letter.x -= width / 2.0;
    }
    Line { letters, width }
}

/// Brings outlines of the font onto the frame.
struct Pen<'a, F: Fn(f32, f32) -> [f32; 2]> {
    path: &'a mut PathBuilder,
    /// From units of the font, y upwards, to pixels.
    at: F,
}

impl<F: Fn(f32, f32) -> [f32; 2]> OutlineBuilder for Pen<'_, F> {
    fn move_to(&mut self, x: f32, y: f32) {
        let [x, y] = (self.at)(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let [x, y] = (self.at)(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ([x1, y1], [x, y]) = ((self.at)(x1, y1), (self.at)(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ([x1, y1], [x2, y2], [x, y]) = ((self.at)(x1, y1), (self.at)(x2, y2), (self.at)(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face() -> Face<'static> {
        Face::parse(FONT, 0).expect("the font that ships")
    }

    fn count(text: &str) -> usize {
        lines(&face(), text, 8.0).iter().map(|line| line.letters.len()).sum()
    }

    #[test]
    fn the_font_writes_the_languages_that_prompts_come_in() {
        for text in [
            "Happy Birthday!",
            "Zażółć gęślą jaźń",
            "Çok güzel",
            "С днём рождения",
            "Χρόνια πολλά",
            "Chúc mừng",
            "¿Qué tal? ¡Olé!",
            "Größe",
            "20 % – “5 €”…",
        ] {
            assert_eq!(count(text), text.chars().filter(|letter| !letter.is_whitespace()).count(), "{text}");
        }
    }

    #[test]
    fn what_the_font_lacks_is_left_out() {
        assert_eq!(count("誕生日 ok 🎂"), 2);
        assert!(lines(&face(), "誕生日 🎂", 8.0).is_empty());
        assert!(lines(&face(), "  ", 8.0).is_empty());
    }

    #[test]
    fn a_letter_and_its_accent_are_one() {
        assert_eq!(count("e\u{301}te\u{301}"), 3);
    }

    #[test]
    fn short_texts_take_a_line_and_long_ones_two() {
        assert_eq!(lines(&face(), "Hello", 8.0).len(), 1);
        let two = lines(&face(), "the quick brown fox jumps over the lazy dog and runs away", 8.0);
        assert_eq!(two.len(), 2);
        assert!((two[0].width - two[1].width).abs() < 0.35 * two[0].width);
        assert_eq!(lines(&face(), "Donaudampfschifffahrtsgesellschaft", 8.0).len(), 1);
    }

    #[test]
    fn lines_are_centred() {
        for line in lines(&face(), "centred in its line", 20.0) {
            let (first, last) = (line.letters[0], line.letters[line.letters.len() - 1]);
            assert!((first.x - first.width / 2.0 + line.width / 2.0).abs() < 1e-4);
            assert!((last.x + last.width / 2.0 - line.width / 2.0).abs() < 1e-4);
        }
    }

    #[test]
    fn the_last_letter_is_whole_before_the_shot_ends_however_short_it_is() {
        for (seconds, last) in [(2.0 / 3.0, 0.625), (1.0, 0.95), (2.0, 1.9), (10.0, 9.9)] {
            for count in [1.0, 13.0, 30.0, 120.0] {
                assert!(grown(last, seconds, count - 1.0, count) >= 1.0, "{count} letters in {seconds} s");
                assert!(grown(0.0, seconds, count - 1.0, count) <= 0.0);
            }
        }
    }

    #[test]
    fn letters_pop_in_and_stay() {
        assert_eq!([popped(-1.0), popped(0.0), popped(1.0), popped(9.0)], [0.0, 0.0, 1.0, 1.0]);
        assert!(popped(0.6) > 1.0);
    }
}
