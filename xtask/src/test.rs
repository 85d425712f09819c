//! `cargo xtask test`: every check that continuous integration runs.
//!
//! First all is compiled, the browser half beside the rest; then the tests, which wait for much of their time, run
//! side by side, and after them torture, which measures times. A phase that fails does
//! not keep the others from running; the closing lines name what failed, the last one adds all of them up.

mod browser;
mod lint;
mod rust;
mod sdk;
mod stripe;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::console::step;
use crate::packages::debian;
use crate::process::interrupt;
use crate::process::lanes::side_by_side;
use crate::project::Project;
use crate::tally::Tally;
use crate::torture;
use crate::web;

#[derive(Args)]
pub struct Options {
    /// Run only one group of phases.
    #[arg(long)]
    only: Option<Group>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Formatting and clippy.
    Lint,
    /// The Rust tests, on SQLite and PostgreSQL.
    Rust,
    /// The Python SDK against a running product.
    Sdk,
    /// The vendor's clients against the twin of Stripe.
    Stripe,
    /// A real browser against a running product.
    Browser,
    /// The programs, killed and starved at random moments.
    Torture,
}

struct Phase {
    title: &'static str,
    groups: &'static [Group],
    run: fn(&Project) -> Result<Tally>,
}

/// Side by side.
type Lanes = &'static [&'static [Phase]];

/// One after the other.
const PARTS: [Lanes; 3] = [
    &[
        &[
            Phase { title: "Formatting", groups: &[Group::Lint], run: lint::formatting },
            Phase { title: "Clippy", groups: &[Group::Lint], run: lint::clippy },
            Phase {
                title: "Programs and tests",
                groups: &[Group::Rust, Group::Sdk, Group::Stripe, Group::Browser, Group::Torture],
                run: rust::build,
            },
        ],
        &[
            Phase { title: "Browser half of the pages", groups: &[Group::Browser], run: pages },
            Phase { title: "Clippy of the browser half", groups: &[Group::Lint], run: lint::clippy_of_browser_half },
        ],
    ],
    &[
        &[Phase { title: "Rust tests", groups: &[Group::Rust], run: rust::tests }],
        &[
            Phase { title: "Python SDK tests", groups: &[Group::Sdk], run: sdk::tests },
            Phase { title: "Stripe twin", groups: &[Group::Stripe], run: stripe::tests },
            Phase { title: "Browser tests", groups: &[Group::Browser], run: browser::tests },
        ],
    ],
    &[&[Phase { title: "Torture", groups: &[Group::Torture], run: torture::tests }]],
];

/// Whether everything passed.
pub fn test(project: &Project, options: &Options) -> Result<bool> {
    debian::require(&[debian::CXX, debian::MAKE])?;
    let perform = |phases: &'static [Phase]| {
        let wanted = phases.iter().filter(|phase| phase.is_wanted(options.only));
        wanted.map(|phase| Ok((phase.title, phase.perform(project)?))).collect::<Result<Vec<_>>>()
    };
    let mut total = Tally::default();
    let mut closing = Vec::new();
    for lanes in PARTS {
        for lane in side_by_side(lanes.len(), lanes.to_vec(), perform) {
            closing.extend(lane?);
        }
    }
    for (title, tally) in closing {
        eprintln!("{title}: {tally}");
        for failure in &tally.failures {
            eprintln!("    {}", failure.replace('\n', "\n        "));
        }
        total += tally;
    }
    println!("{total}");
    Ok(total.is_clean())
}

impl Phase {
    fn is_wanted(&self, only: Option<Group>) -> bool {
        only.is_none_or(|group| self.groups.contains(&group))
    }

    /// # Errors
    /// Only when the person asked to stop: anything else counts as one failure.
    fn perform(&self, project: &Project) -> Result<Tally> {
        let outcome = step(self.title, || (self.run)(project));
        interrupt::check()?;
        Ok(Tally::of(outcome.context(self.title)))
    }
}

fn pages(project: &Project) -> Result<Tally> {
    web::build(project, web::Mode::Release).map(|()| Tally::PASSED)
}
