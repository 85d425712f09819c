//! What the operator sees and does: pauses and acts upon jobs, the workers one by one, and which models are where.

mod aside;
mod control;
mod demand;
mod fleet;
mod held;
mod lines;
mod placement;
mod places;
mod requeue;
