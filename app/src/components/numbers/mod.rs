//! Numbers over time, as pages show them: which are asked for, and figures, tables, charts and files of them.

mod asked;
mod csv;
mod figures;

pub use asked::{Asked, RANGES};
pub use csv::numbers_csv;
use figures::PERCENTILES;
pub use figures::{Figure, Figures, Outcomes, PhaseClasses, PhaseOverTime, Phases, percent, phase_name, usual_figures};
