//! Heads of animals, drawn about the middle of the skull, some 4.6 in radius, looking left: by three quarters where a face
//! is what one knows the animal by, in profile where it is the muzzle.
//!
//! Letters: `M D` coat and its shade, `L l` light parts, `I` inside of ears, `N` nose, `E e` second colour, `K` ink.

mod birds;
mod breeds;
mod hoofs;
mod mammals;
mod paws;
mod scales;
mod songbirds;
mod wild;

use super::pen::{draw, placed};
use super::rig::Rig;
use super::skeleton::{Joint, Shows};
pub use birds::{CHICKEN, DUCK, OWL, PENGUIN};
pub use breeds::{BLACK_CAT, CORGI, HUSKY, LIONESS, PANTHER, PUG, SHEPHERD, SKUNK, SPOTTED_CAT};
pub use hoofs::{CAMEL, COW, DEER, ELEPHANT, GIRAFFE, GOAT, HORSE, PIG, SHEEP, UNICORN, ZEBRA};
pub use mammals::{BEAVER, MEERKAT, MOLE, OTTER, RED_PANDA};
pub use paws::{BEAR, CAT, DOG, FOX, HAMSTER, HEDGEHOG, KANGAROO, KOALA, LION, MONKEY, MOUSE, PANDA, RABBIT, RACCOON, SQUIRREL, TIGER};
pub use scales::{DINOSAUR, DRAGON, FROG};
pub use songbirds::{CROW, GOOSE, PELICAN, ROOSTER, SONGBIRD, TOUCAN, TURKEY, WOODPECKER};
pub use wild::{BULL, CAPYBARA, CROCODILE, DONKEY, HIPPO, LLAMA, MOOSE, RHINO};

#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Skull, cheeks, muzzle, nose.
    pub skull: &'static str,
    /// Drawing and joint; empty for none.
    pub ear_near: (&'static str, [f32; 2]),
    pub ear_far: (&'static str, [f32; 2]),
    /// The near ear hangs over the skull; else it stands behind it.
    pub flop: bool,
    pub eyes: &'static [[f32; 2]],
    pub eye: f32,
    /// Colour of a shut eye's line.
    pub lid: char,
    /// Where food goes.
    pub mouth: [f32; 2],
    pub shut: &'static str,
    pub open: &'static str,
    /// Horns, crests: over all.
    pub over: &'static str,
    /// Behind the skull: manes.
    pub behind: &'static str,
    /// The top of the skull, where hats go.
    pub top: [f32; 2],
}

const SMILE: &str = "l K .42 M-3.2 2.5C-2.8 3.2 -2 3.1 -1.75 2.3C-1.5 3.1 -.7 3.2 -.2 2.5";
const LAUGH: &str = "p R M-2.9 2.5H-.5C-.5 3.8 -1 4.3 -1.7 4.3C-2.4 4.3 -2.9 3.8 -2.9 2.5z;o -1.7 3.8 .7 .45 P";

const FACE: Head = Head {
    skull: "",
    ear_near: ("", [2.8, -3.0]),
    ear_far: ("", [-2.8, -3.0]),
    flop: false,
    eyes: &[[-3.0, -0.4], [0.9, -0.4]],
    eye: 1.0,
    lid: 'K',
    mouth: [-1.8, 2.8],
    shut: SMILE,
    open: LAUGH,
    over: "",
    behind: "",
    top: [0.2, -4.4],
};

/// Puts a head on `parent`, its skull's middle at `at`; the index of the part.
pub fn add(rig: &mut Rig, head: &Head, parent: usize, at: [f32; 2], scale: f32, pivot: [f32; 2]) -> usize {
    let svg = |script: &str| placed(&draw(script), at, [scale, scale]);
    let on = |p: [f32; 2]| [at[0] + p[0] * scale, at[1] + p[1] * scale];
    let part = rig.add_svg(Joint::Head, Some(parent), pivot, 10, svg(&format!("{}\n{}", head.skull, head.over)));
    rig.touches(part, &[on([-5.0, 4.2]), on([4.6, 1.0])]);
    if !head.behind.is_empty() {
        rig.add_svg(Joint::Hair, Some(part), pivot, 8, svg(head.behind));
    }
    if !head.ear_far.0.is_empty() {
        rig.add_svg(Joint::EarFar, Some(part), on(head.ear_far.1), 9, svg(head.ear_far.0));
    }
    if !head.ear_near.0.is_empty() {
        rig.add_svg(Joint::EarNear, Some(part), on(head.ear_near.1), if head.flop { 13 } else { 9 }, svg(head.ear_near.0));
    }
    let (mut open, mut shut) = (String::new(), String::new());
    for [x, y] in head.eyes {
        let e = head.eye;
        open += &format!("o {x} {y} {} {} K;o {} {} {} {} W;", 0.68 * e, 0.9 * e, x - 0.2 * e, y - 0.32 * e, 0.24 * e, 0.3 * e);
        shut += &format!("l {} .5 M{} {y}Q{x} {} {} {y};", head.lid, x - 0.75 * e, y + 0.75 * e, x + 0.75 * e);
    }
    rig.face(part, 12, Shows::EyesOpen, svg(&open));
    rig.face(part, 12, Shows::EyesShut, svg(&shut));
    rig.face(part, 12, Shows::MouthShut, if head.shut.is_empty() { String::new() } else { svg(head.shut) });
    rig.face(part, 12, Shows::MouthOpen, svg(head.open));
    rig.anchors.head_top = Rig::anchor(part, on(head.top));
    rig.anchors.mouth = Rig::anchor(part, on(head.mouth));
    part
}
