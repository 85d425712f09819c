//! What single drawings can do that their kind cannot: flames flicker, wings close or flap.

/// How a drawing moves by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Habit {
    /// It flickers.
    Flame,
    /// It is seen from above: wings open and close, this often a second.
    Flutters(f32),
    /// It is seen from the side: wings beat, this often a second.
    Flaps(f32),
}

pub(super) fn habit(name: &str) -> Option<Habit> {
    Some(match name {
        "campfire" | "fire" | "candle" => Habit::Flame,
        "butterfly" | "lady-beetle" | "fly" => Habit::Flutters(1.6),
        "dragon" => Habit::Flaps(1.2),
        "gull" | "bat" | "dove" | "eagle" | "owl" | "phoenix-bird" | "parrot" | "honeybee" => Habit::Flaps(2.1),
        _ => return None,
    })
}
