//! People of one name who are not one person: skin, hair and clothes by seed.

use super::{Hair, Person, SKINS};
use crate::random::Random;

const DARK_HAIR: [u32; 3] = [0x1f1b24, 0x33241f, 0x4a2f23];
const ANY_HAIR: [u32; 6] = [0x33241f, 0x6b3a22, 0xb9622c, 0xd9a441, 0x1f1b24, 0x8a5a3a];
const GREY_HAIR: [u32; 3] = [0xd9d9e0, 0xb8bac4, 0xf1eee8];
const TOPS: [u32; 8] = [0x35a7c4, 0xff6f61, 0x4f9d5b, 0xf2b134, 0x8a63d2, 0x3b6fd4, 0xe4577b, 0xf4efe4];
const BOTTOMS: [u32; 5] = [0x46506b, 0x4667a5, 0x5a4636, 0x3d3f4c, 0x6d7f57];

impl Person {
    /// Number `number` of the many who have this name. Those of one seed that follow each other differ in all that varies.
    pub fn varied(&self, seed: u64, number: usize) -> Self {
        let (styles, old): (&[Hair], bool) = match self.name {
            "woman" => (&[Hair::Long, Hair::Bun, Hair::Bob, Hair::Curly, Hair::Wavy, Hair::Ponytail], false),
            "man" => (&[Hair::Side, Hair::Short, Hair::Curly, Hair::Messy, Hair::Bald], false),
            "girl" => (&[Hair::Pigtails, Hair::Bob, Hair::Ponytail, Hair::Curly, Hair::Long], false),
            "bearded-man" => (&[Hair::Side, Hair::Short, Hair::Curly, Hair::Messy], false),
            "boy" => (&[Hair::Messy, Hair::Short, Hair::Curly, Hair::Side], false),
            "old-woman" => (&[Hair::Bun, Hair::Bob, Hair::Curly], true),
            "old-man" => (&[self.hair], true),
            _ => return *self,
        };
        let mut random = Random::of(seed, 0x5C1);
        let mut pick = |count: usize, step: usize| (random.below(count) + step * number) % count.max(1);
        let skin = pick(SKINS.len(), 2);
        let hair = styles.get(pick(styles.len(), 1)).copied().unwrap_or(self.hair);
        let colours: &[u32] = match (old, skin) {
            (true, _) => &GREY_HAIR,
            (_, 3..) => &DARK_HAIR,
            _ => &ANY_HAIR,
        };
        let hair_colour = colours.get(pick(colours.len(), 1)).copied().unwrap_or(self.hair_colour);
        let top = TOPS.get(pick(TOPS.len(), 3)).copied().unwrap_or(self.top);
        let bottom = if self.bottom == self.top { top } else { BOTTOMS.get(pick(BOTTOMS.len(), 1)).copied().unwrap_or(self.bottom) };
        Self { skin, hair, hair_colour, top, bottom, ..*self }
    }
}
