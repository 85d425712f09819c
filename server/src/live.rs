//! Live events for the pages: the same stream and framing as the public API's events (one shared function,
//! `id:` = revision, Last-Event-ID honoured), but the data of each event is the JSON of `domain::JobView`.
