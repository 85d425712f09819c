//! The fields of a request: the one table that the form, the API, its document, remixes and code to copy go by.

/// A field of [`JobRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    Prompt,
    NegativePrompt,
    Model,
    Size,
    Seconds,
    Steps,
    Guidance,
    Seed,
    Arrangement,
    Enrich,
}

/// What the value of a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Anybody's words.
    Text,
    /// One of a few words.
    Choice,
    /// One of a few numbers, written as a text.
    NumberChoice,
    Whole,
    Decimal,
    /// Written as JSON.
    List,
    /// `true` or `false`; false when left out.
    Flag,
}

impl Kind {
    /// Whether a number stands for it as well as its text.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::NumberChoice | Self::Whole | Self::Decimal)
    }

    /// Whether programs get it as a number.
    #[must_use]
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Whole | Self::Decimal)
    }
}

struct Row {
    name: &'static str,
    label: &'static str,
    kind: Kind,
    about: &'static str,
    is_openai: bool,
}

/// In the order of [`Field::ALL`].
const ROWS: [Row; 10] = [
    Row { name: "prompt", label: "Prompt", kind: Kind::Text, about: "What the video should show.", is_openai: true },
    Row {
        name: "negative_prompt",
        label: "Leave out",
        kind: Kind::Text,
        about: "What the video should not show, as long as a prompt at most.",
        is_openai: false,
    },
    Row { name: "model", label: "Model", kind: Kind::Choice, about: "Which model makes it.", is_openai: true },
    Row { name: "size", label: "Size", kind: Kind::Choice, about: "One of the model's `sizes`.", is_openai: true },
    Row {
        name: "seconds",
        label: "Length",
        kind: Kind::NumberChoice,
        about: "One of the model's `seconds`; a model that makes images has none.",
        is_openai: true,
    },
    Row { name: "steps", label: "Steps", kind: Kind::Whole, about: "Denoising steps: more take longer and cost more.", is_openai: false },
    Row { name: "guidance", label: "Guidance", kind: Kind::Decimal, about: "How closely to follow the prompt.", is_openai: false },
    Row {
        name: "seed",
        label: "Seed",
        kind: Kind::Whole,
        about: "The same seed and settings make the same video; without one it is drawn at random.",
        is_openai: false,
    },
    Row {
        name: "arrangement",
        label: "Arrangement",
        kind: Kind::List,
        about: "Where things stand, as `GET /v1/videos/{video_id}/layout` names them; the rest is arranged around them.",
        is_openai: false,
    },
    Row {
        name: "enrich",
        label: "Make it richer",
        kind: Kind::Flag,
        about: "Whether what the prompt leaves open is added to it: a place, an hour, a motion, company. Not every model can.",
        is_openai: false,
    },
];

impl Field {
    /// In the order in which a submission is told from another: it is never changed, only added to.
    pub const ALL: [Self; 10] = [
        Self::Prompt,
        Self::NegativePrompt,
        Self::Model,
        Self::Size,
        Self::Seconds,
        Self::Steps,
        Self::Guidance,
        Self::Seed,
        Self::Arrangement,
        Self::Enrich,
    ];

    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// As programs write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// As people read it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        self.row().label
    }

    #[must_use]
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// A sentence for whoever writes a program.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.row().about
    }

    /// Whether OpenAI's clients have a parameter for it.
    #[must_use]
    pub const fn is_openai(self) -> bool {
        self.row().is_openai
    }

    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}
