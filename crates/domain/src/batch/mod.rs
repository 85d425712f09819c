//! Batches: many requests in one file, which are made some time, and the files that they are sent and answered in.

mod fault;
mod file;
mod metadata;
mod pace;
mod progress;
mod status;
mod waiting;
mod window;

pub use fault::{FaultCode, LineFault, kept};
pub use file::{FILE_BYTES_MAX, FILE_NAME_CHARS_MAX, FileError, FileExpiry, FilePurpose, file_name};
pub use metadata::{Metadata, MetadataError};
pub use pace::{Allowance, OPEN_LINES_MAX, OpenBatch, Room, admit_beside_single, gives_way_ms};
pub use progress::{Closing, LineCounts, LineState, OpenLines, Step, UnmadeLines};
pub use status::BatchStatus;
pub use waiting::BatchWait;
pub use window::{CompletionWindow, WindowError};

/// The most lines of one batch, and so of its input.
pub const LINES_MAX: u32 = 50_000;
/// The most bytes of one line, its end not counted: as much as a single request may have.
pub const LINE_BYTES_MAX: usize = 1024 * 1024;
/// The longest name that a line may have.
pub const CUSTOM_ID_CHARS_MAX: usize = 512;
/// How many faults a batch tells in its own answer. All of them are in its results.
pub const FAULTS_SHOWN_MAX: u64 = 1000;
/// The most batches of one tenant that have not ended.
pub const OPEN_BATCHES_MAX: u64 = 100;
/// For so long a batch and its lines are known after it has ended. Its files are kept by themselves.
pub const BATCH_KEPT_MS: i64 = 90 * DAY_MS;
/// The same of one that was cancelled before any of its lines was made or failed: nothing came of it, but its lines may be tried again after all. A try of lines
/// of another batch is known for as long as any.
pub const WITHDRAWN_KEPT_MS: i64 = 7 * DAY_MS;
/// The most lines of all batches of one tenant that are kept.
pub const LINES_KEPT_MAX: u64 = 2_000_000;
/// A batch of fewer lines counts as so many there: its own row is kept too, and is counted.
pub const LINES_COUNTED_MIN: i32 = 100;
/// A batch that was only quoted, or whose input was wrong, or of which no line ended, is a question, and its answer is soon old: but for one that tries
/// failed lines again.
pub const DRY_RUN_KEPT_MS: i64 = DAY_MS;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
