//! Which rules a scene keeps as it is drawn: what somebody who asked for it would see to be wrong.

use super::extent::extent;
use super::groups::unfold;
use super::judge::{Rule, is_borne, judge, overlap};
use super::mend::sizes::{READABLE, drawn_stature, is_compared, stature};
use super::mend::{neighbour, touches, turns};
use super::places::{Zone, zone};
use super::surfaces::{Cover, carried_at, cover};
use crate::codes::Relation;
use crate::scene::{Brief, Layout, MOST_ALIKE, Program, SLOTS};

/// Of two natural heights, from which ratio on the larger one has to look it.
const TELLING: f32 = 1.35;

/// What [`judge`] asks of a settled layout, and: sizes in the order of nature, things borne where their drawings have the place,
/// neighbours facing each other, as many as were asked for, the first of them large enough and not hidden.
pub fn judge_drawn(program: &Program, brief: &Brief, layout: &Layout) -> Vec<(Rule, bool)> {
    let (brief, layout) = &unfold(brief, layout);
    let mut kept = judge(brief, layout);
    for (index, thing) in program.things.iter().enumerate().take(SLOTS) {
        let drawn = brief.slots.iter().filter(|slot| slot.thing == index).count();
        kept.push((Rule::Counted, drawn == thing.count.clamp(1, MOST_ALIKE)));
    }
    if let Some((slot, object)) = brief.slots.first().zip(layout.objects.first()) {
        kept.push((Rule::Readable, object.size >= READABLE.min(0.9 * fitting(brief)) - 0.011 || slot.relation.attached()));
        kept.push((Rule::Seen, hidden(brief, layout, 0) < 0.4));
    }
    for index in 0..brief.slots.len() {
        kept.extend(borne(brief, layout, index));
        kept.extend(faced(brief, layout, index));
        kept.extend(ordered(brief, layout, index));
    }
    kept
}

/// Longer side that everything has room at, in frame-short-sides.
fn fitting(brief: &Brief) -> f32 {
    brief.aspect.max(1.0) / brief.slots.len().max(1) as f32
}

fn borne(brief: &Brief, layout: &Layout, index: usize) -> Option<(Rule, bool)> {
    let slot = &brief.slots[index];
    let parent = slot.parent?;
    let (carrier, object, base) = (&brief.slots[parent], &layout.objects[index], layout.objects.get(parent)?);
    if slot.relation == Relation::Under {
        let [width, height] = extent(carrier, base.size, brief.aspect);
        let tall = extent(slot, object.size, brief.aspect)[1];
        let near = (object.x - base.x).abs() < 0.3 * width + 0.12;
        let below = match cover(carrier) {
            Cover::Span(free) => tall < free * height + 0.03 && object.y >= base.y && object.depth < base.depth,
            Cover::Held => base.y < object.y - 0.4 * tall && base.y - height < object.y - tall,
            Cover::High => base.y <= object.y - tall,
        };
        return Some((Rule::Borne, near && below));
    }
    carried_at(brief, slot, object, carrier, base)?;
    Some((Rule::Borne, slot.copies > 1 || is_borne(brief, layout, index, parent)))
}

fn faced(brief: &Brief, layout: &Layout, index: usize) -> Option<(Rule, bool)> {
    let parent = neighbour(brief, index)?;
    let (object, base) = (&layout.objects[index], layout.objects.get(parent)?);
    let first = brief.slots.iter().position(|slot| slot.parent == Some(parent)) == Some(index);
    let towards = (base.x - object.x).signum();
    let own = !turns(brief, index) || object.dir * towards > 0.0;
    let others = !first || !turns(brief, parent) || base.dir * towards < 0.0;
    let widths = extent(&brief.slots[index], object.size, brief.aspect)[0] + extent(&brief.slots[parent], base.size, brief.aspect)[0];
    let alone = brief.slots.len() == 2;
    let near = !alone || !touches(&brief.slots[index], &brief.slots[parent]) || (base.x - object.x).abs() < 0.58 * widths;
    Some((Rule::Faces, own && others && near))
}

/// Beside everything before it.
fn ordered(brief: &Brief, layout: &Layout, index: usize) -> Option<(Rule, bool)> {
    let ground = |index: usize| is_compared(brief, index) && matches!(zone(&brief.slots[index], brief.backdrop), Zone::Ground);
    let telling = |a: usize, b: usize| stature(&brief.slots[a]) > TELLING * stature(&brief.slots[b]);
    let taller =
        |a: usize, b: usize| drawn_stature(&brief.slots[a], &layout.objects[a]) > drawn_stature(&brief.slots[b], &layout.objects[b]);
    let mut pairs = (0..index).filter(|other| ground(*other) && ground(index) && (telling(*other, index) || telling(index, *other)));
    let first = pairs.next()?;
    let right = |other: usize| if telling(other, index) { taller(other, index) } else { taller(index, other) };
    Some((Rule::Sizes, right(first) && pairs.all(right)))
}

/// Share of a thing that nearer ones cover, as far as they were not asked to.
fn hidden(brief: &Brief, layout: &Layout, index: usize) -> f32 {
    let boxed = |index: usize| extent(&brief.slots[index], layout.objects[index].size, brief.aspect);
    let own = boxed(index);
    let related = |a: usize, b: usize| brief.slots[a].parent == Some(b) || brief.slots[b].parent == Some(a);
    let others = (0..brief.slots.len()).filter(|other| *other != index && !related(*other, index));
    let nearer = others.filter(|other| layout.objects[*other].depth < layout.objects[index].depth);
    let covered = nearer.map(|other| {
        let [across, down] = overlap(&layout.objects[index], own, &layout.objects[other], boxed(other));
        across.max(0.0) * down.max(0.0) / (own[0] * own[1]).max(1e-6)
    });
    covered.sum()
}
