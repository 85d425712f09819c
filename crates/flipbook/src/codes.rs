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
    }
}

codes! {
    /// A look that the whole picture is given. Not known to the network.
    Style { Paper = "paper", Neon = "neon", Pencil = "pencil", Pastel = "pastel", Pixel = "pixel" }
}

codes! {
    /// What a place is in particular: a room a gym, a park a playground. Not known to the network: the painter has it.
    Setting {
        Attic = "attic", Cellar = "cellar", Gym = "gym", Carriage = "carriage", Workshop = "workshop", Office = "office", Shop = "shop",
        Cafe = "cafe", Bathroom = "bathroom", Ward = "ward", Laboratory = "laboratory", Hall = "hall",
        Cave = "cave",
        Playground = "playground", Pitch = "pitch", Stadium = "stadium", Ballpark = "ballpark", Hoops = "hoops", Tennis = "tennis",
        Golf = "golf", Racetrack = "racetrack", Lanes = "lanes", Skatepark = "skatepark", Poolside = "poolside", Pool = "pool",
        WaterPark = "water-park", Quay = "quay", Harbour = "harbour", Pier = "pier", Deck = "deck", Canal = "canal", Venice = "venice",
        Market = "market", ChristmasMarket = "christmas-market", Village = "village", Platform = "platform", Rails = "rails",
        Runway = "runway", CarPark = "car-park", PetrolStation = "petrol-station", BusStop = "bus-stop", Crossing = "crossing",
        Rooftop = "rooftop", Bridge = "bridge", Suspension = "suspension", Tunnel = "tunnel", Motorway = "motorway",
        Fairground = "fairground", Circus = "circus", Disco = "disco", Zoo = "zoo", Construction = "construction",
        Schoolyard = "schoolyard", Haunted = "haunted", Graveyard = "graveyard", Courtyard = "courtyard", Square = "square",
        DuckPond = "duck-pond", Picnic = "picnic", Campsite = "campsite", Orchard = "orchard", Vineyard = "vineyard",
        Cornfield = "cornfield", WheatField = "wheat-field", PumpkinPatch = "pumpkin-patch", Glasshouse = "glasshouse",
        VegetableGarden = "vegetable-garden", Garden = "garden", Backyard = "backyard", Porch = "porch", FrontYard = "front-yard",
        Lighthouse = "lighthouse", Parade = "parade", Alley = "alley", Neon = "neon", Paris = "paris", London = "london",
        NewYork = "new-york", Pyramids = "pyramids", Tokyo = "tokyo", Rome = "rome", India = "india", Moscow = "moscow",
    }
}

impl Setting {
    /// What it is to the network.
    pub fn backdrop(self) -> Backdrop {
        match self {
            Self::Attic
            | Self::Cellar
            | Self::Gym
            | Self::Carriage
            | Self::Workshop
            | Self::Office
            | Self::Shop
            | Self::Cafe
            | Self::Bathroom
            | Self::Ward
            | Self::Laboratory
            | Self::Hall
            | Self::Cave => Backdrop::Room,
            Self::Playground | Self::Pitch | Self::Stadium | Self::Ballpark | Self::Golf | Self::Zoo | Self::DuckPond | Self::Picnic => {
                Backdrop::Park
            }
            Self::Pool | Self::Harbour => Backdrop::Lake,
            Self::Canal => Backdrop::River,
            Self::Racetrack
            | Self::Lanes
            | Self::Rails
            | Self::Runway
            | Self::Bridge
            | Self::Suspension
            | Self::Tunnel
            | Self::Motorway => Backdrop::Road,
            Self::Village => Backdrop::Hills,
            Self::Courtyard => Backdrop::Castle,
            Self::Campsite => Backdrop::Forest,
            Self::Orchard | Self::Vineyard | Self::Cornfield | Self::PumpkinPatch | Self::VegetableGarden | Self::Glasshouse => {
                Backdrop::Farm
            }
            Self::WheatField | Self::Garden | Self::Backyard | Self::FrontYard | Self::Graveyard | Self::Haunted | Self::Lighthouse => {
                Backdrop::Meadow
            }
            Self::Pyramids => Backdrop::Desert,
            _ => Backdrop::Street,
        }
    }

    /// What it is to who floats or swims in it, where that is another picture.
    pub fn afloat(self) -> Option<Self> {
        match self {
            Self::Poolside | Self::WaterPark => Some(Self::Pool),
            Self::Quay | Self::Pier => Some(Self::Harbour),
            Self::Venice => Some(Self::Canal),
            _ => None,
        }
    }

    /// A city that is known by what stands in it.
    pub fn is_city(self) -> bool {
        matches!(self, Self::Paris | Self::London | Self::NewYork | Self::Tokyo | Self::Rome | Self::India | Self::Moscow | Self::Venice)
    }

    /// Water between walls: nothing grows in it.
    pub fn is_basin(self) -> bool {
        matches!(self, Self::Pool | Self::Harbour | Self::Canal)
    }

    /// It is a thing to look at and, with somebody on it, a place.
    pub fn is_trodden(self) -> bool {
        matches!(self, Self::Bridge | Self::Suspension | Self::Rooftop | Self::Platform)
    }

    /// Rain and snow are seen behind its panes.
    pub fn shows_weather(self) -> bool {
        !matches!(
            self,
            Self::Attic | Self::Carriage | Self::Cave | Self::Cellar | Self::Hall | Self::Shop | Self::Tunnel | Self::Circus | Self::Disco
        )
    }
}
