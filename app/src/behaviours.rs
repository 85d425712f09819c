//! Small manners of the whole document, found by their `data-` attributes: clips that play, text that is
//! copied, dialogs that open, moments in the reader's own time zone, cards that keep up with their video.
//!
//! One listener for the document instead of one for each element: pages need no island for them.

mod cards;
mod clicks;
mod clips;
mod moments;

pub fn start() {
    cards::keep_fresh();
    clicks::listen();
    clips::listen();
    moments::localise();
}
