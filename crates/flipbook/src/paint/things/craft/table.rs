//! The table of crafts: for every act of the hands its gesture, its tool, where the object is, what is there when nobody named an
//! object, and the mark it leaves. A new verb is a line here and a line in the lexicon.

use super::marks::Mark;
use super::site::Site;
use super::stuff::Stuff;
use super::utensils::Utensil;
use crate::codes::Act;
use crate::figures::Gesture;

/// How an act of the hands looks.
#[derive(Clone, Copy, Debug)]
pub(in crate::paint::things) struct Craft {
    pub gesture: Gesture,
    pub tool: Option<Utensil>,
    pub site: Site,
    /// What is there when nobody named anything.
    pub stuff: Stuff,
    pub mark: Mark,
    /// Drawings that are the tool, or what it gives: they are nowhere else.
    tools: &'static [&'static str],
    /// The stuff is there in any case.
    pub always: bool,
    /// What is named is not seen by itself: it is what the stuff or the mark shows.
    pub hides: bool,
    /// It is done in a pot or a bowl.
    pub vessel: bool,
    /// Who is worked on sits.
    pub seats: bool,
}

impl Craft {
    /// Whether a drawing is the tool of it.
    pub fn takes(&self, name: &str) -> bool {
        self.tools.contains(&name)
    }

    /// The gesture that tells how high the table is.
    pub fn surface(&self) -> Gesture {
        match self.gesture {
            Press | Saw | Cook | Play => self.gesture,
            _ => Press,
        }
    }

    const fn with(mut self, tool: Utensil) -> Self {
        self.tool = Some(tool);
        self
    }

    const fn tools(mut self, tools: &'static [&'static str]) -> Self {
        self.tools = tools;
        self
    }

    const fn always(mut self) -> Self {
        self.always = true;
        self
    }

    const fn hides(mut self) -> Self {
        self.hides = true;
        self
    }

    const fn vessel(mut self) -> Self {
        self.vessel = true;
        self
    }

    const fn seats(mut self) -> Self {
        self.seats = true;
        self
    }
}

const fn entry(gesture: Gesture, site: Site, stuff: Stuff, mark: Mark) -> Craft {
    Craft { gesture, tool: None, site, stuff, mark, tools: &[], always: false, hides: false, vessel: false, seats: false }
}

/// What of a craft is done with the arms.
pub(in crate::paint::things) fn gesture(act: Act) -> Gesture {
    craft(act).map_or(Gesture::Stand, |craft| craft.gesture)
}

/// How an act of the hands looks; `None` for all other acts.
pub(super) fn craft(act: Act) -> Option<&'static Craft> {
    CRAFTS.iter().find(|(listed, _)| *listed == act).map(|(_, craft)| craft)
}

use Gesture::{
    Blow, Brush, Build, Cast, Comb, Cook, Dig, Eat, Fish, Hold, Kneel, Peer, Play, Point, Press, Raise, Reach, Read, Rub, Saw, Strike,
    Sweep,
};
use Stuff as S;
use Utensil as U;

#[rustfmt::skip]
const CRAFTS: &[(Act, Craft)] = &[
    // Kitchen.
    (Act::Knead, entry(Press, Site::Table, S::Dough, Mark::Puffs(0xfdf6e8)).always().hides()),
    (Act::RollOut, entry(Press, Site::Table, S::FlatDough, Mark::Puffs(0xfdf6e8)).always().hides().tools(&["cookie"])),
    (Act::Frost, entry(Cook, Site::Table, S::Sprite("birthday-cake", 0.34), Mark::Bits(0xff8fc0)).with(U::Bag)),
    (Act::Slice, entry(Saw, Site::Table, S::Vegetables, Mark::Bits(0xff9a3c)).with(U::Knife).tools(&["kitchen-knife", "dagger"])),
    (Act::CarveRoast, entry(Saw, Site::Table, S::Roast, Mark::Bits(0xc98a4b)).with(U::Knife).always().tools(&["kitchen-knife", "turkey", "chicken", "chicken-figure", "goose"])),
    (Act::Peel, entry(Read, Site::Both, S::Sprite("banana", 0.24), Mark::Peels)),
    (Act::Squeeze, entry(Press, Site::Both, S::Sprite("lemon", 0.2), Mark::Drops(0xffb43a))),
    (Act::Whisk, entry(Cook, Site::Table, S::Bowl, Mark::Swirl).with(U::Whisk).vessel().tools(&["spoon"])),
    (Act::Stir, entry(Cook, Site::Table, S::Pot, Mark::Steam).with(U::Spoon).vessel().tools(&["spoon"])),
    (Act::Flip, entry(Cook, Site::Toss, S::Pancake, Mark::Arc).with(U::Pan)),
    (Act::Taste, entry(Eat, Site::Table, S::Pot, Mark::None).with(U::Spoon).vessel().tools(&["spoon"])),
    (Act::Grill, entry(Reach, Site::Ground, S::Grill, Mark::Steam).always().hides().with(U::Spatula)),
    (Act::Rinse, entry(Press, Site::Basin, S::None, Mark::Foam)),
    (Act::Ignite, entry(Build, Site::Ground, S::Sprite("firecracker", 0.34), Mark::Glow).with(U::Match)),
    (Act::Kindle, entry(Build, Site::Ground, S::Sprite("campfire", 0.40), Mark::Glow).with(U::Match)),
    (Act::Pour, entry(Reach, Site::Table, S::Cup, Mark::Stream).with(U::Jug).tools(&["hot-beverage", "glass-of-milk", "pouring-liquid", "teapot", "bottle-with-popping-cork", "kettle", "beverage-box", "honey-pot"])),
    (Act::BlowOut, entry(Press, Site::Table, S::Sprite("birthday-cake", 0.36), Mark::Breath).tools(&["candle"])),
    (Act::Light, entry(Reach, Site::Table, S::Sprite("candle", 0.34), Mark::Glow).with(U::Match)),
    (Act::Serve, entry(Hold, Site::Tray, S::Glasses, Mark::None).with(U::Tray)),
    (Act::SetTable, entry(Press, Site::Table, S::Plates, Mark::None).always().hides().tools(&["fork-and-knife-with-plate", "fork-and-knife", "table"])),
    (Act::Arrange, entry(Press, Site::Table, S::Sprite("bouquet", 0.36), Mark::None)),
    (Act::Butter, entry(Saw, Site::Table, S::Sprite("bread", 0.24), Mark::None).with(U::Knife).tools(&["butter", "kitchen-knife"])),
    (Act::Grate, entry(Saw, Site::Table, S::Grater, Mark::Bits(0xffc83d)).always().tools(&["cheese-wedge"])),
    (Act::Prepare, entry(Press, Site::Table, S::Sprite("sandwich", 0.24), Mark::None)),
    (Act::Sprinkle, entry(Reach, Site::Ground, S::None, Mark::Glitter).tools(&["sparkles", "salt"])),
    (Act::Drink, entry(Eat, Site::Mouth, S::Cup, Mark::None)),
    (Act::LickTreat, entry(Eat, Site::Mouth, S::Sprite("ice-cream", 0.24), Mark::Tongue)),
    // House.
    (Act::WashUp, entry(Press, Site::Basin, S::Crockery, Mark::Foam).with(U::Sponge).always().hides()),
    (Act::Launder, entry(Raise, Site::Line, S::None, Mark::None).hides()),
    (Act::Fold, entry(Press, Site::Table, S::Linen, Mark::None).hides().always()),
    (Act::MakeBed, entry(Press, Site::Ground, S::Sprite("bed", 0.7), Mark::None)),
    (Act::Dust, entry(Rub, Site::Wall, S::Sprite("bookcase", 1.05), Mark::Puffs(0xd9d2c4)).with(U::Duster)),
    (Act::Wipe, entry(Rub, Site::Wall, S::Pane, Mark::Gleam).with(U::Cloth)),
    (Act::Mop, entry(Sweep, Site::None, S::None, Mark::Wet).with(U::Mop)),
    (Act::Paint, entry(Rub, Site::Wall, S::None, Mark::Strokes).with(U::Roller).tools(&["paintbrush"])),
    // Garden.
    (Act::Plant, entry(Build, Site::Patch, S::Seedling, Mark::None).with(U::Trowel).tools(&["chestnut"])),
    (Act::Pick, entry(Raise, Site::Tree, S::Basket, Mark::None).always().hides()),
    (Act::Gather, entry(Build, Site::Patch, S::Basket, Mark::None).always()),
    (Act::Rake, entry(Sweep, Site::Ground, S::Leaves, Mark::Leaves).with(U::Rake).always().hides()),
    (Act::Trim, entry(Saw, Site::Wall, S::Hedge, Mark::Bits(0x4f9a40)).with(U::Shears)),
    // Paper.
    (Act::Draw, entry(Saw, Site::Table, S::Scribble, Mark::None).with(U::Crayon).tools(&["crayon", "pencil", "paintbrush", "pen"]).always().hides()),
    (Act::Write, entry(Saw, Site::Table, S::Lines, Mark::None).with(U::Pen).tools(&["pencil", "pen", "fountain-pen"]).always().hides()),
    (Act::WriteUp, entry(Rub, Site::Wall, S::None, Mark::Chalk).with(U::Pen).tools(&["crayon", "pencil", "paintbrush", "pen"])),
    (Act::Type, entry(Play, Site::Table, S::Sprite("laptop", 0.30), Mark::None)),
    (Act::Game, entry(Read, Site::Wall, S::Screen, Mark::None).with(U::Pad).tools(&["video-game", "joystick"]).always().hides()),
    (Act::Gavel, entry(Strike, Site::Table, S::None, Mark::Burst).with(U::Hammer).tools(&["hammer"])),
    (Act::Inflate, entry(Blow, Site::None, S::None, Mark::Balloon).tools(&["balloon"])),
    (Act::Buff, entry(Saw, Site::Ground, S::Sprite("mans-shoe", 0.22), Mark::Gleam).with(U::Cloth)),
    (Act::StampIt, entry(Strike, Site::Table, S::Lines, Mark::Burst).with(U::Seal)),
    // Cloth.
    (Act::Sew, entry(Press, Site::Table, S::SewingMachine, Mark::None).always()),
    (Act::WeaveCloth, entry(Rub, Site::Wall, S::Loom, Mark::None).always().hides()),
    (Act::Knit, entry(Read, Site::None, S::None, Mark::None).tools(&["yarn", "scarf", "socks", "gloves", "thread", "billed-cap"])),
    (Act::Tie, entry(Read, Site::Both, S::Rope, Mark::None).hides().always()),
    (Act::TieShoes, entry(Kneel, Site::None, S::None, Mark::Laces).tools(&["running-shoe", "mans-shoe", "hiking-boot"])),
    // Workshop.
    (Act::Hammer, entry(Strike, Site::Table, S::Plank, Mark::Burst).with(U::Hammer).tools(&["hammer"]).always()),
    (Act::Saw, entry(Saw, Site::Table, S::Plank, Mark::Chips(0xe8c48a)).with(U::Saw).tools(&["wood", "carpentry-saw"]).always()),
    (Act::Drill, entry(Reach, Site::Wall, S::Slab, Mark::Chips(0xcfc8bb)).with(U::Drill).tools(&["hole"])),
    (Act::Weld, entry(Press, Site::Table, S::Metal, Mark::Sparks).with(U::Torch)),
    (Act::Fix, entry(Cook, Site::Ground, S::Pipe, Mark::Burst).with(U::Wrench).tools(&["wrench", "screwdriver", "toolbox", "hammer-and-wrench"])),
    (Act::Bricks, entry(Build, Site::Ground, S::Wall, Mark::None).with(U::Trowel).always().hides()),
    (Act::Blocks, entry(Build, Site::Ground, S::Blocks, Mark::None).always().hides()),
    (Act::Build, entry(Build, Site::Ground, S::Blocks, Mark::None)),
    (Act::Sculpt, entry(Strike, Site::Ground, S::Statue, Mark::Chips(0xe6e2da)).with(U::Hammer).always().hides()),
    (Act::Pottery, entry(Press, Site::Table, S::Clay, Mark::None).always().hides()),
    (Act::BlowGlass, entry(Blow, Site::None, S::None, Mark::GlassBall).with(U::Pipe).tools(&["tumbler-glass", "wine-glass"])),
    (Act::Sharpen, entry(Press, Site::Table, S::Grindstone, Mark::Sparks).with(U::Blade).tools(&["dagger", "crossed-swords", "kitchen-knife", "axe", "pencil"]).always()),
    // Body.
    (Act::Shave, entry(Brush, Site::None, S::None, Mark::Lather).with(U::Razor).tools(&["razor"])),
    (Act::CutHair, entry(Rub, Site::Other, S::None, Mark::Bits(0x4a3626)).with(U::Scissors).tools(&["scissors"]).seats()),
    (Act::Comb, entry(Comb, Site::Other, S::None, Mark::None).with(U::Comb).tools(&["hair-pick"]).seats()),
    (Act::MakeUp, entry(Brush, Site::Other, S::None, Mark::None).with(U::Lipstick).tools(&["lipstick"]).seats()),
    (Act::Examine, entry(Reach, Site::Other, S::None, Mark::Ticks).with(U::Lens).tools(&["magnifying-glass-tilted-left", "magnifying-glass-tilted-right"])),
    (Act::Bandage, entry(Rub, Site::Other, S::None, Mark::Plaster).tools(&["adhesive-bandage"])),
    (Act::Listen, entry(Reach, Site::Other, S::None, Mark::Tube).tools(&["stethoscope"])),
    // Trade.
    (Act::Scan, entry(Reach, Site::Till, S::Groceries, Mark::Beam).with(U::Scanner).hides().always()),
    (Act::Pay, entry(Reach, Site::Till, S::None, Mark::None).with(U::Note).tools(&["dollar-banknote", "credit-card", "coin"])),
    (Act::Weigh, entry(Press, Site::Table, S::Scales, Mark::None).always()),
    (Act::Deliver, entry(Reach, Site::Hand, S::Parcel, Mark::None)),
    (Act::Unwrap, entry(Press, Site::Ground, S::Sprite("wrapped-gift", 0.4), Mark::Surprise)),
    (Act::Wrap, entry(Press, Site::Table, S::Sprite("wrapped-gift", 0.28), Mark::Ribbon)),
    (Act::OpenDoor, entry(Reach, Site::Wall, S::Sprite("door", 1.05), Mark::Ticks)),
    (Act::Count, entry(Press, Site::Table, S::Coins, Mark::Glint).hides().always()),
    (Act::Pack, entry(Press, Site::Ground, S::Suitcase, Mark::None).hides().always()),
    (Act::PileUp, entry(Press, Site::Ground, S::Pile, Mark::None).hides().always()),
    (Act::Direct, entry(Point, Site::None, S::None, Mark::Ticks).with(U::Paddle)),
    (Act::Whistle, entry(Brush, Site::None, S::None, Mark::Sound).with(U::Whistle)),
    (Act::RingBell, entry(Rub, Site::None, S::None, Mark::Sound).with(U::Bell).tools(&["bell", "bellhop-bell"])),
    // Science, sight and sound.
    (Act::Mix, entry(Reach, Site::Table, S::Flasks, Mark::Bubbles).with(U::Flask).tools(&["test-tube", "alembic"]).always()),
    (Act::Gaze, entry(Press, Site::Eyes, S::Sprite("telescope", 0.42), Mark::Sight)),
    (Act::Magnify, entry(Press, Site::Eyes, S::Sprite("microscope", 0.36), Mark::Sight)),
    (Act::Spy, entry(Peer, Site::None, S::None, Mark::Sight).with(U::Binoculars).tools(&["glasses", "goggles"])),
    (Act::Conduct, entry(Cast, Site::None, S::None, Mark::Notes).with(U::Baton)),
    (Act::Film, entry(Peer, Site::None, S::None, Mark::None).with(U::Camera).tools(&["video-camera", "movie-camera", "camera"])),
    // Out and about.
    (Act::Reel, entry(Fish, Site::Hook, S::Sprite("fish", 0.22), Mark::Line).with(U::Rod).tools(&["fishing-pole"])),
    (Act::Drone, entry(Read, Site::None, S::None, Mark::Drone).with(U::Pad).tools(&["helicopter", "airplane", "small-airplane"])),
    (Act::Helm, entry(Press, Site::Helm, S::Wheel, Mark::None).hides().always()),
    (Act::Dig, entry(Dig, Site::Patch, S::None, Mark::None).tools(&["hole"])),
];
