//! What a place is in particular. Not known to the network, which is told the backdrop that has the same ground and horizon.

use super::Backdrop;

macro_rules! settings {
    ($($backdrop:ident { $($variant:ident = $text:literal),+ $(,)? })+) => {
        codes! {
            /// What a place is in particular: a room a gym, a park a playground. Not known to the network: the painter has it.
            Setting { $($($variant = $text),+),+ }
        }

        impl Setting {
            /// What it is to the network.
            pub fn backdrop(self) -> Backdrop {
                match self {
                    $($(Self::$variant)|+ => Backdrop::$backdrop),+
                }
            }
        }
    };
}

settings! {
    Room {
        Attic = "attic", Cellar = "cellar", Gym = "gym", Carriage = "carriage", Workshop = "workshop", Office = "office",
        Shop = "shop", Cafe = "cafe", Bathroom = "bathroom", Ward = "ward", Laboratory = "laboratory", Hall = "hall",
        Cave = "cave", Classroom = "classroom", Library = "library", Bookshop = "bookshop", Museum = "museum",
        Church = "church", Cinema = "cinema", ArtStudio = "art-studio", MusicStudio = "music-studio",
        DanceStudio = "dance-studio", Aquarium = "aquarium", Observatory = "observatory", Barbershop = "barbershop",
        Bakery = "bakery", ToyShop = "toy-shop", Florist = "florist", PetShop = "pet-shop", IceCream = "ice-cream",
        CandyShop = "candy-shop", ClothesShop = "clothes-shop", Pharmacy = "pharmacy",
        RestaurantKitchen = "restaurant-kitchen", Restaurant = "restaurant", Bar = "bar", Bedroom = "bedroom",
        Nursery = "nursery", Playroom = "playroom", DiningRoom = "dining-room", Fireside = "fireside",
        Christmas = "christmas", Birthday = "birthday", Wedding = "wedding", Laundry = "laundry", Closet = "closet",
        Hallway = "hallway", Sauna = "sauna", Elevator = "elevator", Corridor = "corridor", SchoolHallway = "school-hallway",
        LockerRoom = "locker-room", PoliceStation = "police-station", Jail = "jail", FireStation = "fire-station",
        Bank = "bank", PostOffice = "post-office", Court = "court", Dentist = "dentist", Clinic = "clinic", Vet = "vet",
        Airport = "airport", StationHall = "station-hall", Lobby = "lobby", Arcade = "arcade", Bowling = "bowling",
        Casino = "casino", Factory = "factory", Warehouse = "warehouse", Barn = "barn", Stable = "stable",
        Greenhouse = "greenhouse", Mine = "mine", TvStudio = "tv-studio", Cockpit = "cockpit",
        SpaceCockpit = "space-cockpit", SpaceStation = "space-station", Cabin = "cabin", Submarine = "submarine",
        Tower = "tower", Haunted = "haunted", Treehouse = "treehouse", Tent = "tent", Igloo = "igloo",
        CrystalCave = "crystal-cave", Burrow = "burrow",
    }
    Park {
        Playground = "playground", Pitch = "pitch", Stadium = "stadium", Ballpark = "ballpark", Golf = "golf", Zoo = "zoo",
        DuckPond = "duck-pond", Picnic = "picnic", BlossomPark = "blossom-park",
    }
    Street {
        Hoops = "hoops", Tennis = "tennis", Skatepark = "skatepark", Poolside = "poolside", WaterPark = "water-park",
        Quay = "quay", Pier = "pier", Deck = "deck", Venice = "venice", Market = "market",
        ChristmasMarket = "christmas-market", Platform = "platform", CarPark = "car-park", PetrolStation = "petrol-station",
        BusStop = "bus-stop", Crossing = "crossing", Rooftop = "rooftop", Fairground = "fairground", Circus = "circus",
        Disco = "disco", Construction = "construction", Schoolyard = "schoolyard",
        Square = "square", Porch = "porch", Parade = "parade", Alley = "alley", Neon = "neon", Paris = "paris",
        London = "london", NewYork = "new-york", Tokyo = "tokyo", Rome = "rome", India = "india", Moscow = "moscow",
    }
    Road {
        Racetrack = "racetrack", Lanes = "lanes", Rails = "rails", Runway = "runway", Bridge = "bridge",
        Suspension = "suspension", Tunnel = "tunnel", Motorway = "motorway",
    }
    Lake {
        Pool = "pool", Harbour = "harbour", Swamp = "swamp", LilyPond = "lily-pond", HotSpring = "hot-spring",
        Lagoon = "lagoon",
    }
    River {
        Canal = "canal", Rapids = "rapids",
    }
    Hills {
        Village = "village", CliffTop = "cliff-top", Hilltop = "hilltop", RiceTerraces = "rice-terraces",
        AboveClouds = "above-clouds", RainbowLand = "rainbow-land", CandyLand = "candy-land",
        HalloweenNight = "halloween-night",
    }
    Meadow {
        HauntedHouse = "haunted-house", Graveyard = "graveyard", WheatField = "wheat-field", Garden = "garden",
        Backyard = "backyard", FrontYard = "front-yard", Lighthouse = "lighthouse", Savanna = "savanna",
        FlowerField = "flower-field", TulipField = "tulip-field", LavenderField = "lavender-field",
        SunflowerField = "sunflower-field", PoppyField = "poppy-field", Lakeside = "lakeside", Riverside = "riverside",
        PondSide = "pond-side", Anthill = "anthill", Hive = "hive", GrassBlades = "grass-blades", LeafTop = "leaf-top",
        EasterMeadow = "easter-meadow",
    }
    Forest {
        Campsite = "campsite", BambooForest = "bamboo-forest", BirchForest = "birch-forest",
        EnchantedForest = "enchanted-forest", HauntedForest = "haunted-forest",
    }
    Farm {
        Orchard = "orchard", Vineyard = "vineyard", Cornfield = "cornfield", PumpkinPatch = "pumpkin-patch",
        Glasshouse = "glasshouse", VegetableGarden = "vegetable-garden", Mud = "mud", HayField = "hay-field",
    }
    Castle {
        Courtyard = "courtyard",
    }
    Desert {
        Pyramids = "pyramids", Canyon = "canyon", Oasis = "oasis",
    }
    Mountains {
        Summit = "summit",
    }
    Beach {
        Island = "island", RockyShore = "rocky-shore",
    }
    Underwater {
        Reef = "reef", Shipwreck = "shipwreck", SunkenCity = "sunken-city", DeepSea = "deep-sea",
    }
    Snowfield {
        Iceberg = "iceberg", Ice = "ice", SkiSlope = "ski-slope", SantasWorkshop = "santas-workshop",
    }
    Moon {
        Mars = "mars", AlienPlanet = "alien-planet",
    }
    Space {
        Asteroids = "asteroids", BlackHole = "black-hole",
    }
    Volcano {
        LavaField = "lava-field",
    }
    Sea {
        IcySea = "icy-sea",
    }
}

impl Setting {
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

    /// Rain and snow fall there, or are seen behind its panes.
    pub fn shows_weather(self) -> bool {
        if self.backdrop() != Backdrop::Room {
            return !matches!(self, Self::Circus | Self::Disco | Self::Tunnel);
        }
        matches!(
            self,
            Self::Gym
                | Self::Workshop
                | Self::Office
                | Self::Cafe
                | Self::Bathroom
                | Self::Ward
                | Self::Laboratory
                | Self::Bedroom
                | Self::Nursery
                | Self::Playroom
                | Self::DiningRoom
                | Self::Fireside
                | Self::Laundry
                | Self::Classroom
                | Self::Bookshop
                | Self::ArtStudio
                | Self::PoliceStation
                | Self::Dentist
                | Self::Clinic
                | Self::Vet
                | Self::Barn
                | Self::Haunted
                | Self::Treehouse
        )
    }
}
