//! What a worker promises about its life and death, held against the real program, the real engine and a
//! real database: it is killed, stopped, woken up and told to go at named points of a job.

mod away;
mod hang;
mod killed;
mod ordinary;
mod paused;
mod plant;
mod poison;
mod small_model;
