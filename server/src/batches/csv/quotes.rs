//! Where the quotes of a table are opened and closed: one that is missing makes one text of the rows behind it, which is read like any other.

const QUOTE: u8 = b'"';

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    FieldBegin,
    Unquoted,
    Quoted,
    /// A quote within quotes: it ends them, or is the first of two that stand for one.
    BehindQuote,
    /// Blanks behind a text that is closed.
    BehindText,
}

/// Follows a table byte by byte.
#[derive(Debug, Clone)]
pub(super) struct Quotes {
    delimiter: u8,
    place: Place,
    /// The line at which the last quote was opened.
    opened: u64,
    torn: Option<u64>,
}

impl Quotes {
    pub fn new(delimiter: u8) -> Self {
        Self { delimiter, place: Place::default(), opened: 0, torn: None }
    }

    /// `line`: that of the byte.
    pub fn follow(&mut self, byte: u8, line: u64) {
        self.place = match (self.place, byte) {
            (Place::Quoted, QUOTE) => Place::BehindQuote,
            (Place::Quoted, _) | (Place::BehindQuote, QUOTE) => Place::Quoted,
            (_, b'\r' | b'\n') => Place::FieldBegin,
            (_, byte) if byte == self.delimiter => Place::FieldBegin,
            (Place::FieldBegin, QUOTE) => {
                self.opened = line;
                Place::Quoted
            }
            (Place::BehindQuote | Place::BehindText, b' ' | b'\t') => Place::BehindText,
            (Place::BehindQuote | Place::BehindText, _) => {
                if line != self.opened {
                    self.torn = self.torn.or(Some(self.opened));
                }
                Place::Unquoted
            }
            (Place::FieldBegin | Place::Unquoted, _) => Place::Unquoted,
        };
    }

    /// The line at which the quote was opened that is still open.
    pub fn open(&self) -> Option<u64> {
        (self.place == Place::Quoted).then_some(self.opened)
    }

    /// The line at which a quote was opened since the last call that another line closes in the middle of a text: there
    /// a quote opens, as a rule, and the first one was never closed.
    pub fn take_torn(&mut self) -> Option<u64> {
        self.torn.take()
    }
}
