//! Ways: `over a fence`, `through a hoop`, `down a hill`. Who moves goes by the thing or the place that follows.

use crate::codes::{Act, Backdrop, Kind, Motion, Relation, Way};
use crate::scene::Course;
use crate::words::lexicon::{Object, Sense};
use crate::words::traits::{base, traits};

use super::{Composer, Draft, Link};

/// What is wide and long enough to go along on.
const ROADS: [&str; 12] =
    ["bridge", "branch", "fence", "stone-wall", "brick-wall", "roof", "railway-track", "table", "wood", "rope", "couch-and-lamp", "bed"];
/// What one comes out of.
const ENCLOSURES: [&str; 9] = ["tunnel", "cave", "tent", "package", "top-hat", "magic-hat", "egg", "hole", "basket"];
/// What somebody climbs or comes down, who is not on a slope.
const STEEP: [&str; 8] = ["ladder", "stairs", "slide", "playground-slide", "pole", "stone-wall", "fence", "bookcase"];

impl Composer<'_> {
    /// Whether `subject` goes by `landmark` in this way; then nothing else is said of how both stand.
    pub(super) fn goes(&mut self, subject: usize, way: Way, landmark: usize) -> bool {
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(landmark)) else { return false };
        if subject == landmark || one.dropped {
            return false;
        }
        let (act, is_egg, is_goal) = (one.act, base(two.sprite) == "egg", base(two.sprite) == "goal-net");
        let from_a_boat = two.kind() == Kind::Boat && one.parent.is_none();
        if matches!(act, Some(Act::Knock | Act::Push | Act::Throw)) && way == Way::Off && self.knocked_off(subject, landmark) {
            return true;
        }
        // `kicks a ball into the goal`: the goal is painted.
        if way == Way::Into && is_goal && self.scores() {
            self.drop_thing(landmark);
            return true;
        }
        // `pulls in a fish from a boat`
        if way == Way::Off && from_a_boat && matches!(act, Some(Act::Fish | Act::Reel)) {
            self.attach(subject, landmark, Relation::Ride);
            return true;
        }
        // The shell is painted.
        if act == Some(Act::Hatch) && is_egg {
            self.drop_thing(landmark);
            return true;
        }
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(landmark)) else { return false };
        let enclosed = two.kind() == Kind::Building || ENCLOSURES.contains(&base(two.sprite));
        let way = match way {
            Way::Down if base(two.sprite) == "chimney" => Way::Into,
            Way::Across if base(two.sprite) == "rainbow" => Way::Over,
            // `from a tunnel`, but `a boy falls from a tree`
            Way::Off if enclosed && !one.motions.iter().any(|motion| matches!(motion, Motion::Fall | Motion::Jump)) => Way::Out,
            way => way,
        };
        let (goer, road) = (self.goer(subject), base(two.sprite));
        let (Some(one), kind) = (self.shot.things.get(goer), two.kind()) else { return false };
        let flies = matches!(one.kind(), Kind::Flyer | Kind::Aircraft) || one.motions.contains(&Motion::Fly);
        if goer == landmark
            || one.course.is_some()
            || one.parent.is_some()
            || !(moves(one) || goer != subject && one.motions.is_empty() || way == Way::Out && rests(one))
        {
            return false;
        }
        let along = ROADS.contains(&road) || road == "train";
        match way {
            // `a truck drives over a bridge`
            Way::Over | Way::Across if along && (way == Way::Across || road == "bridge") && !flies => {
                self.attach(goer, landmark, Relation::On);
            }
            Way::Across => return false,
            // Butterflies over a field of flowers are above all of them.
            Way::Over if two.count > 1 && flies => return false,
            // Apples fall from a tree.
            Way::Off if kind == Kind::Plant && one.motions.last() != Some(&Motion::Fall) => return false,
            Way::Up | Way::Down if two.alive() || matches!(kind, Kind::Sky | Kind::Aircraft) => return false,
            Way::Through if matches!(kind, Kind::Plant | Kind::Symbol | Kind::Swimmer | Kind::Animal | Kind::Person) => return false,
            Way::Off if !matches!(one.motions.last(), Some(Motion::Fall | Motion::Jump | Motion::Swim | Motion::Bounce | Motion::Roll)) => {
                return false;
            }
            Way::Into if two.alive() || kind == Kind::Sky => return false,
            Way::Out if two.alive() => return false,
            _ => {}
        }
        let circles = way == Way::Around;
        self.change(goer, |goer| {
            goer.course = Some(Course { way, by: Some(landmark) });
            if circles {
                circle(goer);
            }
        });
        if self.shot.things.get(landmark).is_some_and(|landmark| !landmark.alive()) {
            self.rest(landmark);
        }
        self.change(landmark, |landmark| landmark.landmark = true);
        true
    }

    /// The place that follows a preposition or a verb is where somebody goes up, down, into or through.
    pub(super) fn goes_through_a_place(&mut self, waiting: Option<&Link>, sense: &Sense) {
        let (way, subjects) = match waiting {
            Some(Link::Preposition { way: Some(way), subjects, .. }) => (*way, subjects.clone()),
            Some(Link::Verb { sense, subjects, .. }) => match sense.way {
                Some(way) => (way, subjects.clone()),
                None => return,
            },
            _ => return,
        };
        let Some(place) = sense.place else { return };
        let fits = match way {
            Way::Up | Way::Down => matches!(
                place,
                Backdrop::Hills | Backdrop::Mountains | Backdrop::Snowfield | Backdrop::Volcano | Backdrop::Desert | Backdrop::Meadow
            ),
            Way::Into | Way::Out => matches!(place, Backdrop::Lake | Backdrop::Sea | Backdrop::River | Backdrop::Underwater),
            Way::Through => matches!(place, Backdrop::Sky | Backdrop::River | Backdrop::Lake),
            _ => false,
        };
        for subject in subjects.into_iter().filter(|_| fits) {
            let goer = self.goer(subject);
            if self.shot.things.get(goer).is_some_and(|one| moves(one) && one.course.is_none()) {
                self.change(goer, |goer| goer.course = Some(Course { way, by: None }));
            }
        }
    }

    /// Who carries somebody goes where they go.
    fn goer(&self, subject: usize) -> usize {
        let thing = self.shot.things.get(subject).filter(|thing| thing.relation == Relation::Ride);
        thing.and_then(|thing| thing.parent).unwrap_or(subject)
    }

    /// `a cat knocks a glass off the table`: the cat is on the table, and the glass falls.
    fn knocked_off(&mut self, subject: usize, landmark: usize) -> bool {
        let object = (0..self.shot.things.len())
            .rev()
            .find(|thing| *thing != landmark && *thing != subject && self.shot.things.get(*thing).is_some_and(|thing| thing.object));
        let Some(object) = object else { return false };
        self.change(object, |object| {
            (object.relation, object.parent) = (Relation::None, None);
            object.act = None;
            object.motions = vec![Motion::Fall];
            object.course = Some(Course { way: Way::Off, by: Some(landmark) });
        });
        self.change(subject, |subject| {
            subject.act = Some(Act::Knock);
            subject.motions = vec![Motion::Idle];
        });
        self.attach(subject, landmark, Relation::On);
        self.rest(landmark);
        self.change(landmark, |landmark| landmark.landmark = true);
        true
    }

    /// Makes a goal of a kick or a throw; whether there is one.
    fn scores(&mut self) -> bool {
        let shot = |thing: &Draft| !thing.dropped && matches!(thing.act, Some(Act::Kick | Act::Throw | Act::Score));
        let Some(player) = self.shot.things.iter().position(shot) else { return false };
        self.change(player, |player| player.act = Some(Act::Score));
        true
    }

    /// A climber's way is up what it climbs.
    pub(super) fn climbs(&self, landmark: usize) -> bool {
        let Some(thing) = self.shot.things.get(landmark) else { return false };
        matches!(thing.kind(), Kind::Plant | Kind::Building) || STEEP.contains(&base(thing.sprite))
    }
}

/// It leaves its place with this motion.
fn leaves(motion: Motion) -> bool {
    use Motion::{Approach, Bounce, Drive, Fall, Fly, Hover, Jump, Launch, Orbit, Rise, Roll, Run, Sail, Spin, Swim, Swing, Walk};
    matches!(
        motion,
        Approach | Bounce | Drive | Fall | Fly | Hover | Jump | Launch | Orbit | Rise | Roll | Run | Sail | Spin | Swim | Swing | Walk
    )
}

/// Who does so goes somewhere, or knocks something from where it is.
pub(super) fn is_a_way(verb: &Sense) -> bool {
    verb.motion.is_some_and(leaves) || verb.act == Some(Act::Knock) || verb.object == Some(Object::Subject(Relation::Ride))
}

fn moves(thing: &Draft) -> bool {
    // Who rides and what is ridden moves, whatever is said.
    let mounts = thing.kind() == Kind::Vehicle || ["mount", "mounted"].iter().any(|name| traits().has(thing.sprite, name));
    let goes = thing.motions.is_empty() && mounts || thing.motions.iter().copied().any(leaves);
    let busy = matches!(thing.act, Some(Act::Throw | Act::Kick | Act::Catch | Act::Cast | Act::Sing | Act::Hug | Act::Fight | Act::Score));
    goes && !busy && !thing.motions.contains(&Motion::Shake)
}

/// It stays where it is: it may look out of something.
fn rests(thing: &Draft) -> bool {
    thing.act.is_none() && thing.alive() && !thing.motions.is_empty() && thing.motions.iter().all(|motion| *motion == Motion::Idle)
}

/// Who goes around a thing does so on legs, fins or wings.
fn circle(thing: &mut Draft) {
    let own = match thing.kind() {
        Kind::Swimmer => Motion::Swim,
        Kind::Animal | Kind::Person => Motion::Run,
        Kind::Boat => Motion::Sail,
        Kind::Vehicle => Motion::Drive,
        Kind::Flyer => Motion::Fly,
        _ => return,
    };
    for motion in thing.motions.iter_mut().filter(|motion| **motion == Motion::Orbit) {
        *motion = own;
    }
}
