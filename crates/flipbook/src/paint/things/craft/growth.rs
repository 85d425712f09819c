//! What grows under the hands as the clip goes on: a written sheet, courses of bricks, a stack.

use super::Piece::Bar;
use super::stuff::Stuff as S;
use super::{Plane, Work};
use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, area};
use crate::paint::things::stamp::Stamp;
use crate::sprites::atlas;

impl Film {
    /// A sheet that lines or a scrawl fill.
    pub(super) fn sheet(&self, c: &mut Canvas, m: &Moment, plane: &Plane, work: &Work) {
        let coloured = work.craft.stuff == S::Scribble;
        let motif = work.patient.or(work.object).filter(|_| coloured).and_then(|motif| self.brief.slots.get(motif));
        if let Some(motif) = motif {
            let [x, y] = plane.at(0.04, 0.0);
            let high = 0.34 * plane.unit;
            c.rect(area(x - 0.17 * plane.unit, y - high, 0.34 * plane.unit, high), &self.ink(0xfdfaf2));
            let stamp = Stamp { alpha: (0.25 + 0.9 * m.p).min(1.0), ..Stamp::at(x, y - 0.05 * plane.unit, 0.24 * plane.unit) };
            return self.stamp(c, &atlas().get(motif.sprite).name, stamp);
        }
        let corners: Vec<[f32; 2]> =
            [[-0.22, 0.02], [-0.12, 0.16], [0.22, 0.16], [0.24, 0.02]].iter().map(|[u, v]| plane.at(*u, *v)).collect();
        Pen::default().polygon(&corners).fill(c, &self.ink(0xfdfaf2));
        let colours: &[u32] = if coloured { &[0xe8413c, 0x2f8fe0, 0x3fb46b, 0xf7b82e] } else { &[0x3b4a6b] };
        for row in 0..4 {
            let grown = (4.6 * m.p + 1.0 - row as f32).clamp(0.0, 1.0);
            let v = 0.135 - 0.032 * row as f32;
            let (left, long) = (-0.12 - 0.025 * row as f32, 0.30 + 0.02 * row as f32);
            let steps = 14;
            let line: Vec<[f32; 2]> = (0..=steps)
                .map(|step| step as f32 / steps as f32)
                .take_while(|share| *share <= grown)
                .map(|share| plane.at(left + long * share, v + if coloured { 0.016 } else { 0.005 } * (40.0 * share + row as f32).sin()))
                .collect();
            Pen::default().line_through(&line).stroke(
                c,
                if coloured { 0.016 } else { 0.008 } * plane.unit,
                &self.ink(colours[row % colours.len()]),
            );
        }
        if coloured {
            for (j, hex) in colours.iter().enumerate() {
                let u = -0.28 + 0.03 * j as f32;
                self.pieces(c, plane, &[Bar(*hex, [u, 0.01], [u + 0.02, 0.05], 0.010)]);
            }
        }
    }

    /// Courses of bricks or blocks, one more after the other.
    pub(super) fn laid(&self, c: &mut Canvas, m: &Moment, plane: &Plane, colours: &[u32], [wide, high]: [f32; 2], columns: usize) {
        let count = (columns as f32 * 2.0 + 0.5 + m.p * columns as f32 * 2.4) as usize;
        for j in 0..count {
            let (row, column) = (j / columns, j % columns);
            let shift = if columns > 2 && row % 2 == 1 { 0.5 * wide } else { 0.03 * (row % 2) as f32 };
            let u = (column as f32 - 0.5 * (columns as f32 - 1.0)) * wide + shift + 0.06;
            let [x, y] = plane.at(u, high * row as f32);
            let at = area(x - 0.48 * wide * plane.unit, y - 0.96 * high * plane.unit, 0.96 * wide * plane.unit, 0.94 * high * plane.unit);
            c.round_rect(at, 0.012 * plane.unit, &self.ink(colours[(3 * row + 2 * column) % colours.len()]));
            let shine = area(at.left + 0.02 * plane.unit, at.top + 0.012 * plane.unit, 0.3 * wide * plane.unit, 0.014 * plane.unit);
            c.rect(shine, &Ink::flat(Rgb::WHITE, 0.25));
        }
    }

    /// A stack of what was named, or of books.
    pub(super) fn piled(&self, c: &mut Canvas, m: &Moment, plane: &Plane, work: &Work) {
        let slot = work.object.and_then(|object| self.brief.slots.get(object));
        let name = slot.map_or("", |slot| atlas().get(slot.sprite).name.as_str());
        let flat = name.is_empty() || name.contains("book") || name == "pancakes" || name == "notebook";
        let count = 3 + (4.0 * m.p) as usize;
        for j in 0..count {
            let aside = 0.02 * (2.3 * j as f32).sin();
            if flat {
                let hex = [0xd8333b, 0x2f8fe0, 0x3fb46b, 0xf7b82e, 0x8f5fd6][j % 5];
                let v = 0.03 + 0.062 * j as f32;
                self.pieces(
                    c,
                    plane,
                    &[Bar(hex, [aside - 0.12, v], [aside + 0.14, v], 0.028), Bar(0xfdf6e8, [aside - 0.10, v], [aside + 0.165, v], 0.012)],
                );
            } else {
                let size = 0.17;
                let [x, y] = plane.at(aside + 0.02, (size - 0.012) * (j as f32).min(4.0));
                self.stamp(c, name, Stamp::at(x, y, size * plane.unit));
            }
        }
    }
}
