//! Which rules a layout keeps, and how often they are kept over many.

use std::collections::BTreeMap;
use std::fmt;

use super::extent::extent;
use super::places::{Zone, zone};
use super::surfaces::{carried_at, hangs_over};
use crate::codes::{Motion, Relation};
use crate::scene::{Brief, Layout, ObjectToken};

/// Something that a layout should do, asked once for each thing (or pair of things) that it concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// At least 85 % of it is seen.
    InFrame,
    OnTheGround,
    InTheAir,
    OnTheWater,
    FacesItsWay,
    /// Less than 35 % of the smaller of two is covered.
    Apart,
    /// It stands to its parent as was asked.
    Stands(Relation),
    // What is asked of a scene as it is drawn.
    /// On the seat, the back or the head that the carrier's drawing has; below the branches or the arch of what it is under.
    Borne,
    /// What is higher by nature, or by the word it was asked for with, is higher.
    Sizes,
    /// Neighbours who stay look at each other; who fights or hugs is within arm's length.
    Faces,
    /// As many as were asked for.
    Counted,
    /// The main thing is large enough.
    Readable,
    /// Nothing nearer covers the main thing.
    Seen,
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Self::InFrame => "in frame",
            Self::OnTheGround => "on the ground",
            Self::InTheAir => "in the air",
            Self::OnTheWater => "on the water",
            Self::FacesItsWay => "faces where it goes",
            Self::Apart => "apart",
            Self::Stands(relation) => relation.name(),
            Self::Borne => "borne",
            Self::Sizes => "sizes",
            Self::Faces => "faces",
            Self::Counted => "counted",
            Self::Readable => "readable",
            Self::Seen => "seen",
        }
    }
}

/// Each rule that the brief asks for, as often as it does, and whether the layout keeps it.
pub fn judge(brief: &Brief, layout: &Layout) -> Vec<(Rule, bool)> {
    let boxes: Vec<Boxed> = brief
        .slots
        .iter()
        .zip(&layout.objects)
        .map(|(slot, object)| Boxed { object, extent: extent(slot, object.size, brief.aspect) })
        .collect();
    let mut kept = Vec::new();
    for (index, (slot, own)) in brief.slots.iter().zip(&boxes).enumerate() {
        let object = own.object;
        kept.push((Rule::InFrame, own.seen() > 0.85));
        if slot.parent.is_none() && !is_covered(brief, index) {
            kept.extend(in_its_zone(brief, layout, index, own));
        }
        if slot.motion.travels() && slot.relation != Relation::In {
            kept.push((Rule::FacesItsWay, object.dx * object.dir > -0.005));
        }
        if let Some(parent) = slot.parent.and_then(|parent| boxes.get(parent)) {
            // Where the drawings themselves have a seat, a back or a head, that is the place.
            let there = slot.parent.is_some_and(|parent| is_borne(brief, layout, index, parent));
            kept.push((Rule::Stands(slot.relation), there || stands(slot.relation, own, parent)));
        }
        for (other_index, other) in boxes.iter().enumerate().take(index) {
            let related = brief.slots[other_index].parent == Some(index) || slot.parent == Some(other_index);
            if !related {
                kept.push((Rule::Apart, own.apart_from(other)));
            }
        }
    }
    kept
}

/// It lies on its carrier where the drawings have the place for it.
pub(super) fn is_borne(brief: &Brief, layout: &Layout, index: usize, parent: usize) -> bool {
    /// Of the carrier's width, and of its height.
    const TOLERANCE: [f32; 2] = [0.08, 0.03];
    let (slot, carrier) = (&brief.slots[index], &brief.slots[parent]);
    let (object, base) = (&layout.objects[index], &layout.objects[parent]);
    let [width, height] = extent(carrier, base.size, brief.aspect);
    carried_at(brief, slot, object, carrier, base)
        .is_some_and(|[x, y]| (object.x - x).abs() < TOLERANCE[0] * width && (object.y - y).abs() < TOLERANCE[1] * height)
}

/// Something is to be under it: it hangs where that one is.
fn is_covered(brief: &Brief, slot: usize) -> bool {
    hangs_over(brief, slot) || brief.slots.iter().any(|other| other.relation == Relation::Under && other.parent == Some(slot))
}

fn in_its_zone(brief: &Brief, layout: &Layout, slot: usize, own: &Boxed) -> Option<(Rule, bool)> {
    let (horizon, y, [_, height]) = (layout.frame.horizon, own.object.y, own.extent);
    let slot = &brief.slots[slot];
    match zone(slot, brief.backdrop) {
        Zone::Ground if slot.motion != Motion::Launch => Some((Rule::OnTheGround, horizon - 0.005 < y && y < 0.985)),
        Zone::Air => Some((Rule::InTheAir, y - height / 2.0 < horizon)),
        Zone::Surface => Some((Rule::OnTheWater, horizon < y && y < 1.02)),
        _ => None,
    }
}

fn stands(relation: Relation, own: &Boxed, parent: &Boxed) -> bool {
    let (object, [width, _]) = (own.object, own.extent);
    let (carrier, [parent_width, parent_height]) = (parent.object, parent.extent);
    let along = object.x - carrier.x;
    let (away, foot) = (along.abs(), (carrier.y - object.y) / parent_height);
    match relation {
        Relation::On => away < parent_width * 0.35 && 0.75 < foot && foot < 1.1,
        Relation::Ride => away < parent_width * 0.3 && 0.3 < foot && foot < 0.7,
        Relation::In => away < parent_width * 0.3 && 0.0 < foot && foot < 0.6,
        Relation::Wear => away < parent_width * 0.45 && 0.75 < foot && foot < 1.1,
        Relation::Under => away < 0.12,
        Relation::Above => object.y < carrier.y - parent_height * 0.8,
        Relation::Beside => away > (parent_width + width) * 0.4,
        Relation::Behind => object.depth > carrier.depth,
        Relation::Front => object.depth < carrier.depth + 0.01,
        Relation::Play => away < (parent_width + width) * 0.62,
        Relation::Chase => -along * carrier.dir > (parent_width + width) * 0.3,
        Relation::None | Relation::Between => true,
    }
}

/// An object with its width and height in frame units.
struct Boxed<'a> {
    object: &'a ObjectToken,
    extent: [f32; 2],
}

impl Boxed<'_> {
    /// Share of its area that lies in the frame.
    fn seen(&self) -> f32 {
        let (object, [width, height]) = (self.object, self.extent);
        let across = ((object.x + width / 2.0).min(1.0) - (object.x - width / 2.0).max(0.0)).max(0.0) / width;
        let down = (object.y.min(1.0) - (object.y - height).max(0.0)).max(0.0) / height;
        across * down
    }

    fn apart_from(&self, other: &Self) -> bool {
        let [across, down] = overlap(self.object, self.extent, other.object, other.extent);
        let smaller = (self.extent[0] * self.extent[1]).min(other.extent[0] * other.extent[1]);
        across <= 0.0 || down <= 0.0 || across * down < 0.35 * smaller
    }
}

/// Width and height that two boxes share, in frame units; not above 0 where they share none.
pub(super) fn overlap(a: &ObjectToken, [aw, ah]: [f32; 2], b: &ObjectToken, [bw, bh]: [f32; 2]) -> [f32; 2] {
    let across = (a.x + aw / 2.0).min(b.x + bw / 2.0) - (a.x - aw / 2.0).max(b.x - bw / 2.0);
    let down = a.y.min(b.y) - (a.y - ah).max(b.y - bh);
    [across, down]
}

/// How often each rule was kept, over any number of layouts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Times kept, times asked.
    counts: BTreeMap<Rule, (usize, usize)>,
}

impl Score {
    /// Adds what [`judge`] found in a layout.
    pub fn add(&mut self, judged: &[(Rule, bool)]) {
        for (rule, kept) in judged {
            let (times_kept, times_asked) = self.counts.entry(*rule).or_default();
            *times_kept += usize::from(*kept);
            *times_asked += 1;
        }
    }

    /// Share of the times that the rule was kept, 0 to 1; `None` when nobody asked.
    pub fn share(&self, rule: Rule) -> Option<f32> {
        self.counts.get(&rule).map(|(kept, asked)| *kept as f32 / *asked as f32)
    }

    /// Share of all that was asked, 0 to 1; 1 when nothing was.
    pub fn overall(&self) -> f32 {
        let (kept, asked) = self.counts.values().fold((0, 0), |(kept, asked), (k, a)| (kept + k, asked + a));
        if asked == 0 { 1.0 } else { kept as f32 / asked as f32 }
    }

    /// Each rule with how often it was kept and how often asked.
    pub fn counts(&self) -> impl Iterator<Item = (Rule, usize, usize)> {
        self.counts.iter().map(|(rule, (kept, asked))| (*rule, *kept, *asked))
    }
}

/// `all 0.961 | in frame 0.98 | on the ground 1.00 ..`
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "all {:.3}", self.overall())?;
        for (rule, kept, asked) in self.counts() {
            write!(f, " | {} {:.2}", rule.name(), kept as f32 / asked as f32)?;
        }
        Ok(())
    }
}
