//! How things stand to each other: by prepositions, and by verbs with an object.

use crate::codes::{Act, Backdrop, Effect, Kind, Motion, Relation};
use crate::figures::figure;
use crate::sprites::{SpriteId, atlas};
use crate::words::lexicon::{Object, Part, Sense};
use crate::words::traits::{base, traits};

use super::courses::is_a_way;
use super::{Composer, Draft, Fate, Link};

/// What a frog catches with its tongue.
const INSECTS: [&str; 8] = ["fly", "bug", "beetle", "mosquito", "honeybee", "butterfly", "cricket", "ant"];

impl Composer<'_> {
    /// `subject` stands to `other` as a preposition says.
    pub(super) fn stand(&mut self, subject: usize, other: usize, relation: Relation, worn: bool) {
        self.fill_bowl(subject, other, relation);
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(other)) else { return };
        if subject == other || one.dropped {
            return;
        }
        let (sprite, kind) = (two.sprite, two.kind());
        let (free, alive, single, act) = (one.parent.is_none(), one.alive(), one.count == 1 && two.count == 1, one.act);
        let flies = matches!(one.kind(), Kind::Flyer | Kind::Aircraft | Kind::Sky);
        let (lives, dressed) = (two.alive(), traits().has(one.sprite, "wears"));
        if self.is_on_otherwise(subject, other, relation) {
            return;
        }
        let known = traits();
        if worn && known.has(sprite, "hat") {
            return self.wear(subject, other);
        }
        if worn && known.has(sprite, "clothes") && (alive || dressed) {
            return self.dress(subject, other);
        }
        if worn && relation == Relation::Beside && known.has(sprite, "held") && alive && free && single {
            return self.hold(subject, other);
        }
        if relation == Relation::None {
            return;
        }
        // `casts a spell on a frog`
        let aimed = relation == Relation::On && matches!(act, Some(Act::Cast | Act::Water | Act::Pour | Act::Throw | Act::Paint));
        // `whisk eggs in a bowl`, `write on a blackboard`: it is what hands work at.
        let bench = matches!(base(sprite), "table" | "blackboard" | "mirror" | "window" | "stone-wall" | "fence" | "cauldron");
        let worked = act.is_some_and(Act::is_manual)
            && matches!(relation, Relation::On | Relation::In | Relation::Above)
            && kind == Kind::Prop
            && (atlas().get(sprite).metres < 0.8 || bench);
        let aimed = aimed || worked || relation != Relation::Ride && act == Some(Act::Sprinkle) && lives;
        let beside = aimed || matches!(relation, Relation::Beside | Relation::Between) || kind == Kind::Sky && relation != Relation::On;
        let beside = beside || relation == Relation::In && lives;
        if beside {
            self.attach(other, subject, Relation::Beside);
        } else if free {
            let mounted = matches!(kind, Kind::Vehicle | Kind::Animal | Kind::Boat | Kind::Aircraft) || known.has(sprite, "mount");
            let relation = match relation {
                Relation::On if mounted => Relation::Ride,
                Relation::In if kind == Kind::Plant || base(sprite) == "bed" => Relation::On,
                // `a truck drives over a bridge`
                Relation::Above if base(sprite) == "bridge" && !flies => Relation::On,
                Relation::In if matches!(kind, Kind::Boat | Kind::Vehicle) || sprite_is_a_chair(sprite) => Relation::Ride,
                _ => relation,
            };
            self.attach(subject, other, relation);
        }
        if !beside && let Some(other) = self.shot.things.get_mut(other) {
            other.landmark = true;
        }
    }

    /// The bowl of a fish is of glass.
    pub(super) fn fill_bowl(&mut self, fish: usize, bowl: usize, relation: Relation) {
        let swims = self.shot.things.get(fish).is_some_and(|thing| thing.kind() == Kind::Swimmer);
        if relation == Relation::In
            && swims
            && let Some(glass) = atlas().named("fish-bowl")
        {
            self.change(bowl, |bowl| bowl.sprite = if base(bowl.sprite).starts_with("bowl") { glass } else { bowl.sprite });
        }
    }

    /// What a verb makes of its subject and object.
    pub(super) fn meet(&mut self, subject: usize, object: usize, sense: &'static Sense, reversed: bool) {
        let (subject, object) = if reversed { (object, subject) } else { (subject, object) };
        let climbs = sense.act != Some(Act::Climb) || self.climbs(object);
        if sense.way.is_some_and(|way| climbs && self.goes(subject, way, object)) {
            return;
        }
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(object)) else { return };
        let Some(role) = sense.object.filter(|_| subject != object) else { return };
        let is_mount = matches!(two.kind(), Kind::Vehicle | Kind::Boat | Kind::Aircraft) || traits().has(two.sprite, "mount");
        // `racing her motorbike`, but a ship that sails to an island does not ride it.
        let role = match role {
            Object::Beside if sense.motion == Some(Motion::Run) && is_mount && one.kind() == Kind::Person => {
                Object::Subject(Relation::Ride)
            }
            Object::Subject(Relation::Ride) if sense.motion.is_some() && sense.mount.is_none() && !is_mount => return,
            role => role,
        };
        let free = one.parent.is_none() && two.parent != Some(subject);
        let (single, kind) = (one.count == 1 && two.count == 1, one.kind());
        let borne = two.alive() && figure(&atlas().get(two.sprite).name).is_some();
        let (sprite, known, again) = (two.sprite, traits(), two.parent.is_some());
        if reversed {
            self.act(sense, &[subject]);
        }
        if let Some(two) = self.shot.things.get_mut(object) {
            two.object = true;
        }
        // `a frog catches a fly`
        if sense.act == Some(Act::Catch)
            && INSECTS.contains(&base(sprite))
            && self.shot.things.get(subject).is_some_and(|one| matches!(base(one.sprite), "frog" | "lizard"))
        {
            self.change(subject, |subject| subject.act = Some(Act::Tongue));
            self.change(object, |object| object.motions = vec![Motion::Hover]);
            return self.attach(object, subject, Relation::Beside);
        }
        match role {
            Object::Worn if known.has(sprite, "clothes") => self.dress(subject, object),
            Object::Worn => self.wear(subject, object),
            Object::Played if known.has(sprite, "instrument") && free => {
                self.attach(subject, object, Relation::Play);
                self.rest(object);
                self.change(subject, |subject| {
                    subject.motions.retain(|motion| *motion != Motion::Jump);
                    subject.effect = subject.effect.or(Some(Effect::Notes));
                });
            }
            Object::Played | Object::Tossed => {
                self.attach(object, subject, Relation::Beside);
                let ball = known.has(sprite, "ball") || role == Object::Tossed;
                self.change(object, |object| {
                    if ball && object.motions.is_empty() {
                        object.motions.push(Motion::Bounce);
                    }
                    object.size = if ball && !again { (object.size - 1).max(-2) } else { object.size };
                });
                let game = known.has(sprite, "game");
                if role == Object::Played && (ball || game) {
                    self.change(subject, |subject| {
                        subject.motions.retain(|motion| *motion != Motion::Jump);
                        if subject.motions.is_empty() {
                            subject.motions.push(if ball { Motion::Run } else { Motion::Idle });
                        }
                    });
                }
            }
            // A child or a cat is in the arms of who holds it, and not an implement.
            Object::Subject(Relation::Play) if matches!(sense.act, Some(Act::Hold | Act::Lift)) && borne => {
                self.attach(object, subject, Relation::Beside);
            }
            Object::Subject(Relation::Play) if single && free => {
                self.attach(subject, object, Relation::Play);
                self.rest(object);
            }
            Object::Subject(Relation::Beside | Relation::Play) | Object::Beside => {
                self.attach(object, subject, Relation::Beside);
                if matches!(sense.act, Some(Act::Fight | Act::Hug)) {
                    self.change(object, |object| object.act = object.act.or(sense.act));
                } else if known.has(sprite, "flown") {
                    self.change(object, |object| object.motions.push(Motion::Hover));
                } else if !self.shot.things.get(object).is_some_and(Draft::alive) {
                    self.rest(object);
                } else if let Some(motion @ (Motion::Walk | Motion::Run)) = sense.motion {
                    // `walking a dog`, `racing a turtle`
                    self.change(object, |object| object.motions.push(motion));
                    let led = self.shot.things.get(object).is_some_and(|object| object.kind() == Kind::Animal);
                    if motion == Motion::Walk && led && kind == Kind::Person && sense.act.is_none() {
                        self.change(subject, |subject| subject.act = subject.act.or(Some(Act::Lead)));
                    }
                }
            }
            Object::Subject(relation) if free => {
                self.attach(subject, object, relation);
                if matches!(relation, Relation::On | Relation::In | Relation::Under | Relation::Above) {
                    self.change(object, |object| object.landmark = true);
                }
            }
            Object::Subject(_) => self.attach(object, subject, Relation::Beside),
        }
    }

    pub(super) fn attach(&mut self, child: usize, parent: usize, relation: Relation) {
        // No circles.
        let mut above = Some(parent);
        for _ in 0..=self.shot.things.len() {
            if above == Some(child) {
                return;
            }
            above = above.and_then(|thing| self.shot.things.get(thing)).and_then(|thing| thing.parent);
        }
        self.change(child, |child| {
            if child.parent.is_none() {
                (child.relation, child.parent) = (relation, Some(parent));
            }
        });
    }

    pub(super) fn wear(&mut self, subject: usize, hat: usize) {
        self.attach(hat, subject, Relation::Wear);
        self.change(hat, |hat| hat.motions = vec![Motion::Still]);
    }

    pub(super) fn hold(&mut self, subject: usize, held: usize) {
        self.attach(subject, held, Relation::Play);
        self.rest(held);
        self.change(subject, |subject| subject.act = subject.act.filter(|act| *act != Act::Lead).or(Some(Act::Hold)));
    }

    pub(super) fn rest(&mut self, thing: usize) {
        self.change(thing, |thing| {
            if thing.motions.is_empty() {
                thing.motions.push(Motion::Still);
            }
        });
    }

    /// The next noun, behind what describes it, is something to wear.
    pub(super) fn is_worn_next(&self, at: usize) -> bool {
        let describes = |part: Option<Part>| !matches!(part, Some(Part::Noun | Part::Verb | Part::Preposition | Part::Conjunction));
        let noun = (at..self.units.len()).find(|place| !describes(self.part(*place)));
        let sprite = noun.and_then(|noun| self.hit(noun)?.sense.sprite);
        sprite.is_some_and(|sprite| traits().has(sprite, "clothes") || traits().has(sprite, "hat"))
    }

    /// Clothes are no thing: who wears them has their colour, if it can be seen.
    pub(super) fn dress(&mut self, subject: usize, clothes: usize) {
        let Some((worn, said)) = self.shot.things.get(clothes).map(|thing| (thing.colour, thing.said.clone())) else { return };
        let figure = self.shot.things.get(subject).filter(|thing| figure(&atlas().get(thing.sprite).name).is_some());
        let is_seen = worn.is_some() && figure.is_some_and(|thing| thing.kind() == Kind::Person && thing.colour.is_none());
        self.change(clothes, |thing| {
            if is_seen {
                thing.said.clear();
            }
        });
        if is_seen {
            self.change(subject, |thing| {
                thing.colour = worn;
                thing.said.extend(&said);
            });
        }
        self.drop_thing(clothes);
    }

    /// Nothing in the picture shows the words that name and describe a thing.
    pub(super) fn lose(&mut self, thing: usize) {
        let Some(thing) = self.shot.things.get(thing) else { return };
        for unit in [thing.unit].into_iter().chain(thing.said.clone()) {
            self.fate(unit, Fate::Lost);
        }
    }

    pub(super) fn drop_thing(&mut self, thing: usize) {
        self.lose(thing);
        self.change(thing, |thing| thing.dropped = true);
        self.subjects.retain(|subject| *subject != thing);
    }

    pub(super) fn preposition(&mut self, at: usize, sense: &Sense) {
        self.fate(at, Fate::Lost);
        let relation = sense.relation.unwrap_or(Relation::None);
        if sense.object == Some(Object::Beside) && matches!(self.link, Some(Link::Verb { reversed: true, .. })) {
            return;
        }
        if relation == Relation::None && sense.object.is_none() && sense.way.is_none() {
            // `of`, `at`: a verb that waits for its object goes on waiting.
            if self.link.is_none() && self.container.is_none() {
                self.link = Some(Link::Preposition { at, relation, way: None, worn: false, subjects: self.heads() });
            }
            return;
        }
        // `peck at seeds`: a verb that does not move goes on waiting as well.
        if relation == Relation::None && matches!(&self.link, Some(Link::Verb { sense, .. }) if !is_a_way(sense)) {
            return;
        }
        let climbs = matches!(&self.link, Some(Link::Verb { sense, .. }) if sense.act == Some(Act::Climb)) && sense.way.is_some();
        if !climbs
            && matches!(&self.link, Some(Link::Verb { sense, .. }) if sense.object == Some(Object::Subject(relation)) || sense.act == Some(Act::Climb))
        {
            return;
        }
        self.container = None;
        self.naming = false;
        let subjects = self.moved_by_another(at, relation).map_or_else(|| self.heads(), |moved| vec![moved]);
        self.link = Some(Link::Preposition { at, relation, way: sense.way, worn: sense.object == Some(Object::Worn), subjects });
    }

    /// Takes what waits for a place, and notes whether the things are at the water or in it.
    pub(super) fn take_link_to(&mut self, place: &Sense) -> Option<Link> {
        let link = self.link.take();
        if let Some(Link::Preposition { at, relation, .. }) = &link
            && matches!(place.place, Some(Backdrop::Lake | Backdrop::River))
        {
            let edge = self.hit(*at).is_some_and(|hit| hit.sense.edge);
            self.shot.ashore |= edge || matches!(relation, Relation::Beside | Relation::Front);
        }
        link
    }

    /// `pushing a girl on a swing`: she is on it, and who pushes is beside her.
    fn moved_by_another(&mut self, at: usize, relation: Relation) -> Option<usize> {
        self.object(at).filter(|thing| thing.sprite.is_some() && matches!(relation, Relation::On | Relation::In))?;
        let moved = self.last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last && !thing.dropped))?;
        let thing = self.shot.things.get(moved).filter(|thing| thing.alive())?;
        let mover = thing.parent.filter(|mover| {
            self.shot.things.get(*mover).is_some_and(|mover| matches!(mover.act, Some(Act::Push | Act::Pull)) && mover.parent.is_none())
        })?;
        self.change(moved, |thing| (thing.relation, thing.parent) = (Relation::None, None));
        self.attach(mover, moved, Relation::Beside);
        Some(moved)
    }

    /// The things that a preposition is about.
    pub(super) fn heads(&self) -> Vec<usize> {
        let alive: Vec<usize> =
            self.subjects.iter().copied().filter(|subject| self.shot.things.get(*subject).is_some_and(|thing| !thing.dropped)).collect();
        if !alive.is_empty() {
            return alive;
        }
        self.shot.things.iter().rposition(|thing| !thing.dropped && !thing.landmark && !thing.object).into_iter().collect()
    }

    pub(super) fn postposition(&mut self, sense: &Sense) {
        let Some(relation) = sense.relation.filter(|relation| *relation != Relation::None) else { return };
        let Some(last) = self.last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last)) else { return };
        let subject = self.shot.things.iter().take(last).position(|thing| !thing.dropped && !thing.landmark);
        match subject {
            Some(subject) => {
                self.stand(subject, last, relation, false);
                self.subjects = vec![subject];
            }
            None => {
                self.change(last, |thing| thing.landmark = true);
                self.subjects.clear();
                self.landmark = Some((relation, last));
            }
        }
    }
}

/// Who is in it sits on it.
fn sprite_is_a_chair(sprite: SpriteId) -> bool {
    base(sprite).ends_with("wheelchair")
}
