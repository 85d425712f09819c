//! Where on or around somebody their work is.

/// Where what is worked on is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::paint::things) enum Site {
    /// Nowhere: in the air, on oneself.
    None,
    /// On a table before the hands.
    Table,
    /// In a basin of water.
    Basin,
    /// On a counter with a belt and a till.
    Till,
    /// In one hand.
    Hand,
    /// In one hand that goes to the mouth.
    Mouth,
    /// In both hands.
    Both,
    /// It flies up from a pan.
    Toss,
    Tray,
    /// On the ground before the hands.
    Ground,
    /// Small, where it grows.
    Patch,
    /// Upright, behind the hands.
    Wall,
    /// Somebody.
    Other,
    /// On a line above.
    Line,
    /// In a tree.
    Tree,
    /// Before the eyes.
    Eyes,
    /// On a fishing line.
    Hook,
    /// A wheel to steer with.
    Helm,
}

impl Site {
    /// How far it reaches, in heights of who works.
    pub fn far(self) -> f32 {
        match self {
            Self::None | Self::Hand | Self::Mouth | Self::Both | Self::Tray => 0.4,
            Self::Toss => 0.6,
            Self::Tree | Self::Line => 1.05,
            Self::Till => 1.05,
            Self::Hook => 1.1,
            _ => 0.85,
        }
    }

    /// It is painted before who works, so that hands are over it.
    pub fn is_behind(self) -> bool {
        matches!(
            self,
            Self::Table
                | Self::Basin
                | Self::Till
                | Self::Ground
                | Self::Wall
                | Self::Patch
                | Self::Tree
                | Self::Line
                | Self::Eyes
                | Self::Other
                | Self::Helm
        )
    }

    /// Several work at one.
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Table | Self::Basin | Self::Till | Self::Ground | Self::Patch | Self::Tree | Self::Line)
    }
}
