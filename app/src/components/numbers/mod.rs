//! Numbers over time, as pages show them: which are asked for, and figures, tables, charts and files of them.

mod asked;
mod csv;
mod figures;

pub use asked::{Asked, RANGES};
pub use csv::numbers_csv;
pub use figures::{
    Figure, Figures, Outcomes, PERCENTILES, PhaseClasses, PhaseOverTime, Phases, marked, percent, phase_name, usual_figures,
};
