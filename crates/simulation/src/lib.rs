//! What the queue would do: a simulator of discrete events that runs the rules of the live system.
//!
//! Tags, turns between lines, slots, lanes and release rates are those of [`domain::scheduling`]; nothing of them is written a second
//! time here. What is simulated is the rest: jobs that come, devices that are shared, and time. So one engine answers two questions:
//! what a policy does to a load that is made up or was recorded, and when the jobs of a live queue will have ended ([`forecast()`]).
//!
//! Nothing fails here: there are no retries, suspects or lost workers. All is decided by what is given; two runs of the same come to the same.

mod engine;
mod experiment;
mod forecast;
mod job;
mod load;
mod observer;
mod policy;
mod scaling;
mod steady;

pub use engine::{Away, Device, DeviceUse, Engine, Running, ServedModel, State, StateError, Tenant, Waiting, Worker};
pub use experiment::{DevicesReport, EtaCoverage, Experiment, LaneFairness, Percentiles, Recorded, Replayed, Report, Times, run};
pub use forecast::{Foretold, Wanted, forecast, forecast_within};
pub use job::{Arrival, Job, StageMs};
pub use load::{Demand, Line, Load, MeanTimes, TraceError, read_trace};
pub use observer::{Event, Observer};
pub use policy::Policy;
pub use scaling::{Scaler, Scaling};
pub use steady::{Steady, SteadyKind, SteadyWaits, SteadyWorkers};
