//! Who may enter the queue, which job is next and with how many others it runs, where a job stands, and when it will be done.

mod admission;
mod calibration;
mod choice;
mod control;
mod cost;
mod estimate;
pub mod fleet;
mod lanes;
mod order;
mod own_order;
mod progress;
mod release;
mod rotation;
mod share;
mod slots;
mod snapshot;

pub use admission::{AdmissionError, RETRY_AFTER_MAX_S, WorkRoom, admit, retry_after_s};
pub use calibration::{Calibration, EtaBasis, Forecast, ForecastOutcome};
pub use choice::{Candidate, Choice, Claimant, Colleague, RESERVED_AHEAD_MAX_MS, RESERVED_MS, SuspectReservation, Suspects};
pub use control::{Pause, PauseScope, PauseScopeError, Pauses, QueueAct, QueueActError, TenantShare, TenantWork, shares_of};
pub use cost::{CostModel, ErrorSize, Measurement, Predicted, StageError, Words, Workload};
pub use estimate::{Fleet, StageCosts};
pub use lanes::{LaneOrder, StageSlots};
pub use order::{LineOf, Place};
pub use own_order::{MoveRefusal, MoveTo, PASSED_MAX, laid_anew};
pub use progress::Done;
pub use release::{Passage, ReleaseGate};
pub use rotation::{LOOK_MIN, LaneRotations, Rotation};
pub use share::{LineProgress, Tag, VirtualTime};
pub use slots::{Occupancy, claimed_at_once, left_for_ms};
pub use snapshot::{EXACT, Line, Mark, QueueSnapshot, QueuedJob, RunningJob, StageJobs};
