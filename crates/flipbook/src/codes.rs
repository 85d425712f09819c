//! The words of a scene that the network has an embedding for. Their order is the order of its tables: add at the end.

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// As data files and explanations spell it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.name() == name)
            }

            /// Its row in the network's table.
            pub fn code(self) -> usize {
                self as usize
            }
        }
    };
}

mod setting;

pub use setting::Setting;

codes! {
    /// What a thing is like, as far as its place in a picture goes.
    Kind {
        Prop = "prop", Animal = "animal", Flyer = "flyer", Swimmer = "swimmer", Vehicle = "vehicle", Boat = "boat",
        Aircraft = "aircraft", Person = "person", Plant = "plant", Building = "building", Sky = "sky", Symbol = "symbol",
    }
}

codes! {
    /// How a thing moves.
    Motion {
        Still = "still", Idle = "idle", Walk = "walk", Run = "run", Jump = "jump", Bounce = "bounce", Fly = "fly",
        Hover = "hover", Swim = "swim", Drive = "drive", Sail = "sail", Fall = "fall", Rise = "rise", Spin = "spin",
        Roll = "roll", Grow = "grow", Shrink = "shrink", Pulse = "pulse", Orbit = "orbit", Dance = "dance", Swing = "swing",
        Launch = "launch", Explode = "explode", Shake = "shake", Approach = "approach", Play = "play",
    }
}

codes! {
    /// How a thing stands to its parent.
    Relation {
        None = "none", On = "on", In = "in", Under = "under", Above = "above", Beside = "beside", Behind = "behind",
        Front = "front", Ride = "ride", Play = "play", Chase = "chase", Between = "between", Wear = "wear",
    }
}

codes! {
    Backdrop {
        Plain = "plain", Meadow = "meadow", Hills = "hills", Sea = "sea", Beach = "beach", Forest = "forest",
        Mountains = "mountains", City = "city", Street = "street", Road = "road", Desert = "desert", Space = "space",
        Underwater = "underwater", Sky = "sky", Room = "room", Stage = "stage", Snowfield = "snowfield", Lake = "lake",
        Park = "park", River = "river", Kitchen = "kitchen", Window = "window", Jungle = "jungle", Volcano = "volcano",
        Moon = "moon", Castle = "castle", Farm = "farm",
    }
}

codes! {
    Weather {
        Clear = "clear", Rain = "rain", Snow = "snow", Storm = "storm", Confetti = "confetti", Fireworks = "fireworks",
        Blossom = "blossom", Leaves = "leaves", Fog = "fog", Bubbles = "bubbles", Stars = "stars", Wind = "wind",
        Hearts = "hearts",
    }
}

codes! {
    /// The light.
    Hour { Day = "day", Dawn = "dawn", Sunset = "sunset", Night = "night", Overcast = "overcast" }
}

codes! {
    /// Not known to the network: the drawing has it.
    Colour {
        Red = "red", Orange = "orange", Yellow = "yellow", Green = "green", Cyan = "cyan", Blue = "blue", Purple = "purple",
        Pink = "pink", White = "white", Black = "black", Brown = "brown", Gold = "gold", Silver = "silver", Grey = "grey",
    }
}

codes! {
    /// What a thing gives off. Not known to the network.
    Effect {
        Steam = "steam", Fire = "fire", Notes = "notes", Hearts = "hearts", Sparkles = "sparkles", Smoke = "smoke",
        Sleep = "sleep", Flame = "flame", Dust = "dust", Crumbs = "crumbs", Drops = "drops",
        Anger = "anger", Joy = "joy", Sadness = "sadness", Fear = "fear", Surprise = "surprise", Shyness = "shyness",
        Dizziness = "dizziness", Tiredness = "tiredness", Doubt = "doubt",
    }
}

codes! {
    /// What a thing does to another, or by itself, beyond moving. Not known to the network: poses have it.
    Act {
        Throw = "throw", Catch = "catch", Kick = "kick", Eat = "eat", Hug = "hug", Water = "water", Pour = "pour", Hold = "hold",
        Read = "read", Cook = "cook", Cast = "cast", Fish = "fish", Paint = "paint", Sing = "sing", Wave = "wave", Sleep = "sleep",
        Sit = "sit", Climb = "climb", Fight = "fight", Push = "push", Pull = "pull", Juggle = "juggle", Cry = "cry", Laugh = "laugh",
        Call = "call", Dig = "dig", Sweep = "sweep", Knit = "knit", Clap = "clap", Point = "point", Crawl = "crawl", Blow = "blow",
        Brush = "brush", Wash = "wash", Build = "build", Stretch = "stretch", Hide = "hide",
        Feed = "feed", Give = "give", Groom = "groom", Milk = "milk", Repair = "repair", Chop = "chop", Vacuum = "vacuum",
        Mow = "mow", Iron = "iron", Lift = "lift", Tumble = "tumble", Bathe = "bathe", Splash = "splash", Land = "land",
        Stop = "stop", Dunk = "dunk", Score = "score", Kneel = "kneel", Photograph = "photograph", Phone = "phone", Skip = "skip",
        ChaseTail = "chase-tail", Wag = "wag", Yawn = "yawn", Sneeze = "sneeze", Lick = "lick", Scratch = "scratch", Wallow = "wallow",
        Butt = "butt", Dangle = "dangle", Spout = "spout", Tongue = "tongue", ShakeOff = "shake-off",
        Spread = "spread", Peck = "peck", Balance = "balance", Knock = "knock", Weave = "weave", Withdraw = "withdraw", Dive = "dive", Glide = "glide",
        Hatch = "hatch",
        Crash = "crash", Crush = "crush", Drift = "drift", Halt = "halt", Plow = "plow", TakeOff = "take-off", Tip = "tip", Dump = "dump",
        Bloom = "bloom", Wilt = "wilt", Pop = "pop", Shatter = "shatter", Drip = "drip", Spill = "spill", Overflow = "overflow",
        Vanish = "vanish", Flicker = "flicker", Stack = "stack", Collapse = "collapse", Open = "open", Bubble = "bubble", Melt = "melt",
        // What hands do with a tool at a workplace.
        Knead = "knead", RollOut = "roll-out", Frost = "frost", Slice = "slice", Peel = "peel", Squeeze = "squeeze", Whisk = "whisk",
        Stir = "stir", Flip = "flip", Taste = "taste", BlowOut = "blow-out", Light = "light", Serve = "serve", SetTable = "set-table",
        WashUp = "wash-up", Launder = "launder", Fold = "fold", MakeBed = "make-bed", Dust = "dust", Wipe = "wipe", Mop = "mop",
        Plant = "plant", Pick = "pick", Rake = "rake", Trim = "trim", Draw = "draw", Write = "write", Type = "type", Game = "game",
        Sew = "sew", WeaveCloth = "weave-cloth", Hammer = "hammer", Saw = "saw", Drill = "drill", Weld = "weld", Bricks = "bricks",
        Blocks = "blocks", Sculpt = "sculpt", Pottery = "pottery", BlowGlass = "blow-glass", Shave = "shave", CutHair = "cut-hair",
        Comb = "comb", MakeUp = "make-up", Tie = "tie", TieShoes = "tie-shoes", Scan = "scan", Pay = "pay", Weigh = "weigh",
        Deliver = "deliver", Unwrap = "unwrap", Wrap = "wrap", OpenDoor = "open-door", Examine = "examine", Bandage = "bandage",
        Listen = "listen", Mix = "mix", Gaze = "gaze", Spy = "spy", Conduct = "conduct", Direct = "direct", RingBell = "ring-bell",
        Whistle = "whistle", Film = "film", Reel = "reel", Drone = "drone", Helm = "helm", Sharpen = "sharpen",
        Sprinkle = "sprinkle", PileUp = "pile-up", Count = "count", Pack = "pack", StampIt = "stamp", Drink = "drink", LickTreat = "lick-treat",
        Arrange = "arrange", Butter = "butter", Grate = "grate", Prepare = "prepare", Fix = "fix",
        WriteUp = "write-up", CarveRoast = "carve-roast", Gather = "gather", Grill = "grill", Rinse = "rinse", Ignite = "ignite", Kindle = "kindle", Gavel = "gavel",
        Inflate = "inflate", Buff = "buff", Magnify = "magnify",
        HoldHands = "hold-hands", ShakeHands = "shake-hands", HighFive = "high-five", Kiss = "kiss", Whisper = "whisper",
        Tickle = "tickle", Shoulder = "shoulder", Cradle = "cradle", HoldUp = "hold-up", Lead = "lead", March = "march",
        Waltz = "waltz", Tug = "tug", ArmWrestle = "arm-wrestle", PillowFight = "pillow-fight", SnowballFight = "snowball-fight",
        PlayCatch = "play-catch", Dart = "dart", Header = "header", Dribble = "dribble", Tennis = "tennis", Bat = "bat",
        Golf = "golf", Bowl = "bowl", Finish = "finish", Hurdle = "hurdle", HighJump = "high-jump", LongJump = "long-jump",
        DiveOff = "dive-off", Handstand = "handstand", Bars = "bars", Trapeze = "trapeze", Tightrope = "tightrope",
        ClimbWall = "climb-wall", ClimbRope = "climb-rope", PushUp = "push-up", SitUp = "sit-up", Hula = "hula",
        Seesaw = "seesaw", Chess = "chess", Cards = "cards", BoardGame = "board-game", VideoGame = "video-game",
        DjMix = "dj-mix", Triumph = "triumph", Toast = "toast", PartyPopper = "party-popper", CutRibbon = "cut-ribbon",
        TrickOrTreat = "trick-or-treat", Decorate = "decorate", Watch = "watch", Picnic = "picnic",
        Dine = "dine", Wake = "wake", Argue = "argue", Comfort = "comfort", Bow = "bow", Salute = "salute",
        Propose = "propose", Teach = "teach", Speak = "speak", Interview = "interview", Selfie = "selfie", Think = "think",
        Dream = "dream", BalanceOn = "balance-on", SkateTrick = "skate-trick", Cheer = "cheer", Volleyball = "volleyball",
        Shelter = "shelter", Box = "box", Archery = "archery", HearMusic = "hear-music", Tea = "tea", Share = "share",
        WatchSky = "watch-sky", Harp = "harp", Cello = "cello", EggHunt = "egg-hunt", Rescue = "rescue", Conjure = "conjure", Keep = "keep",
        CardTrick = "card-trick",
    }
}

codes! {
    /// How somebody goes who goes by a thing: over a fence, through a hoop. Not known to the network.
    Way {
        Over = "over", Through = "through", Out = "out", Into = "into", Around = "around", Across = "across", Past = "past", Up = "up",
        Down = "down", Off = "off", Toward = "toward",
    }
}

impl Act {
    /// A drawing in one piece shows it as well.
    pub fn shows_without_joints(self) -> bool {
        matches!(
            self,
            Self::Call
                | Self::ChaseTail
                | Self::Sneeze
                | Self::Wallow
                | Self::Butt
                | Self::Dangle
                | Self::Spout
                | Self::Tongue
                | Self::ShakeOff
                | Self::Peck
                | Self::Weave
                | Self::Withdraw
                | Self::Dive
                | Self::Glide
                | Self::Hatch
        ) || self.is_of_things()
    }

    /// It is done with the hands at a place of its own: a table, a line, a wheel.
    pub fn is_manual(self) -> bool {
        (Self::Knead..=Self::Magnify).contains(&self)
    }

    /// What vehicles and things do.
    pub fn is_of_things(self) -> bool {
        self.code() >= Self::Crash.code() && self.code() <= Self::Melt.code()
    }

    /// What things do also where they are carried, or lie on others.
    pub fn is_of_carried_things(self) -> bool {
        matches!(self, Self::Collapse | Self::Spill | Self::Wilt | Self::Pop | Self::Flicker | Self::Tip | Self::Vanish)
    }
}

codes! {
    /// A look that the whole picture is given. Not known to the network.
    Style { Paper = "paper", Neon = "neon", Pencil = "pencil", Pastel = "pastel", Pixel = "pixel" }
}
