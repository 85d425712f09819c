//! What happened to each job, and how evenly tenants were served while all of them had jobs waiting.

use super::report::{DevicesReport, EtaCoverage, LaneFairness, Recorded, Replayed, Report, Times};
use crate::{Arrival, DeviceUse, Engine, Event, Job, Load, Observer};
use domain::{JobId, Stage, billing::Lane};

/// Over so long the work of tenants is compared.
const WINDOW_MS: f64 = 600_000.0;

const LANES: [Lane; 2] = [Lane::Interactive, Lane::Batch];

#[derive(Debug, Clone, Copy)]
struct Record {
    tenant: u32,
    lane: Lane,
    arrived_ms: f64,
    released_ms: f64,
    begun_ms: f64,
    ended_ms: f64,
}

#[derive(Debug, Clone, Copy)]
struct Backlog {
    weight: f64,
    lane: Lane,
    /// In the queue, and not begun.
    waiting: usize,
    /// Since when some have been waiting.
    since_ms: f64,
    /// Work begun in this window.
    had_ms: f64,
}

pub(super) struct Tally {
    records: Vec<Record>,
    backlogs: Vec<Backlog>,
    window_began_ms: f64,
    /// By lane: windows that were judged, and the sum of their indexes.
    windows: [(usize, f64); 2],
}

/// By number, as a load has its ids.
fn number(id: JobId) -> usize {
    id.uuid().as_u128() as usize
}

/// How even shares are, from 1/n, where one has all, to 1 (Jain, Chiu and Hawe 1984).
fn jain(shares: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum, squares) = shares.fold((0.0, 0.0, 0.0), |(n, sum, squares), share| (n + 1.0, sum + share, squares + share * share));
    (n > 1.0 && squares > 0.0).then(|| sum * sum / (n * squares))
}

impl Observer for Tally {
    fn observe(&mut self, at_ms: f64, job: &Job, event: Event) {
        self.roll(at_ms);
        let (record, backlog) = (&mut self.records[number(job.id)], &mut self.backlogs[job.tenant]);
        match event {
            Event::Throttled => backlog.left(),
            Event::Released => {
                record.released_ms = at_ms;
                backlog.joined(at_ms, job.lane);
            }
            Event::Begun { stage: Stage::Sampling, .. } => {
                record.begun_ms = at_ms;
                backlog.had_ms += job.work.ms() as f64;
                backlog.left();
            }
            Event::Ended => record.ended_ms = at_ms,
            Event::Begun { .. } | Event::Paused | Event::Resumed | Event::Sampled => {}
        }
    }
}

impl Backlog {
    const fn joined(&mut self, at_ms: f64, lane: Lane) {
        if self.waiting == 0 {
            self.since_ms = at_ms;
        }
        (self.waiting, self.lane) = (self.waiting + 1, lane);
    }

    const fn left(&mut self) {
        self.waiting -= 1;
    }
}

impl Tally {
    pub fn new(load: &Load) -> Self {
        let backlog = |weight: u32| Backlog { weight: weight.max(1).into(), lane: Lane::Batch, waiting: 0, since_ms: 0.0, had_ms: 0.0 };
        Self {
            records: Vec::with_capacity(load.arrivals.len()),
            backlogs: load.tenants.iter().map(|tenant| backlog(tenant.weight)).collect(),
            window_began_ms: 0.0,
            windows: [(0, 0.0); 2],
        }
    }

    /// A job comes, before the engine is told.
    pub fn arrived(&mut self, arrival: &Arrival) {
        let Arrival { at_ms: arrived_ms, job } = *arrival;
        self.roll(arrived_ms);
        let (tenant, lane, not_yet) = (job.tenant as u32, job.lane, f64::NAN);
        self.records.push(Record { tenant, lane, arrived_ms, released_ms: arrived_ms, begun_ms: not_yet, ended_ms: not_yet });
        self.backlogs[job.tenant].joined(arrived_ms, job.lane);
    }

    /// How long a job took from its arrival to its end, if it has ended.
    pub fn turnaround_ms(&self, job: usize) -> Option<f64> {
        let record = self.records.get(job)?;
        Some(record.ended_ms - record.arrived_ms).filter(|ms| !ms.is_nan())
    }

    /// Judges the windows that are over.
    fn roll(&mut self, at_ms: f64) {
        while at_ms >= self.window_began_ms + WINDOW_MS {
            for (lane, (windows, sum)) in LANES.iter().zip(&mut self.windows) {
                let waited = |backlog: &&Backlog| backlog.lane == *lane && backlog.waiting > 0 && backlog.since_ms <= self.window_began_ms;
                if let Some(index) = jain(self.backlogs.iter().filter(waited).map(|backlog| backlog.had_ms / backlog.weight)) {
                    (*windows, *sum) = (*windows + 1, *sum + index);
                }
            }
            self.backlogs.iter_mut().for_each(|backlog| backlog.had_ms = 0.0);
            self.window_began_ms += WINDOW_MS;
        }
    }

    fn times(&self, name: &str, is_of: impl Fn(&Record) -> bool) -> Times {
        let ended = self.records.iter().filter(|record| is_of(record) && !record.ended_ms.is_nan());
        let since = |record: &Record| [record.released_ms, record.begun_ms, record.ended_ms].map(|ms| ms - record.arrived_ms);
        Times::of(name, &ended.map(since).collect::<Vec<_>>())
    }

    /// The tenant that asked for most, and the half that asked for least.
    fn by_size(&self, load: &Load) -> [Times; 2] {
        let mut asked = vec![0.0; load.tenants.len()];
        for Arrival { job, .. } in &load.arrivals {
            asked[job.tenant] += job.device_ms.sampling + job.device_ms.decoding;
        }
        let mut order: Vec<usize> = (0..asked.len()).collect();
        order.sort_by(|one, other| asked[*other].total_cmp(&asked[*one]));
        let mut is_light = vec![false; asked.len()];
        order[order.len().div_ceil(2)..].iter().for_each(|tenant| is_light[*tenant] = true);
        let heaviest = order.first().copied().unwrap_or(0);
        [
            self.times("heaviest tenant", |record| record.tenant as usize == heaviest),
            self.times("lightest half", |record| is_light[record.tenant as usize]),
        ]
    }

    /// `None`: of no job of the lane it is known how long it waited.
    fn replayed(&self, load: &Load, lane: Lane) -> Option<Replayed> {
        let of_lane = load.waited_ms.iter().zip(&self.records).filter(|(_, record)| record.lane == lane);
        let both = of_lane.filter_map(|(waited, record)| {
            let simulated = record.begun_ms - record.arrived_ms;
            waited.filter(|_| !simulated.is_nan()).map(|waited| (simulated, waited))
        });
        let (simulated, recorded): (Vec<f64>, Vec<f64>) = both.unzip();
        (!recorded.is_empty()).then(|| Replayed {
            of: lane.to_string(),
            jobs: recorded.len(),
            simulated: Recorded::of(simulated),
            recorded: Recorded::of(recorded),
        })
    }

    /// `until_last`: the moment of the last arrival, and what devices had been used for by then.
    pub fn report(&self, load: &Load, engine: &Engine, until_last: (f64, &[DeviceUse]), eta: Option<EtaCoverage>) -> Report {
        let (last_arrival_ms, used) = until_last;
        let sum = |of: fn(&DeviceUse) -> f64| used.iter().map(of).sum::<f64>();
        let devices = DevicesReport {
            workers_at_most: engine.device_use().count(),
            utilisation: sum(|used| used.busy_ms) / sum(|used| used.up_ms).max(f64::MIN_POSITIVE),
            hours: engine.device_use().map(|used| used.up_ms).sum::<f64>() / 3_600_000.0,
        };
        let fairness = LANES.iter().zip(self.windows).map(|(lane, (windows, sum))| LaneFairness {
            lane: lane.to_string(),
            windows,
            jain: (windows > 0).then(|| sum / windows as f64),
        });
        let lanes = LANES.iter().map(|lane| self.times(lane.as_str(), |record| record.lane == *lane));
        Report {
            jobs: self.records.len(),
            ended: self.records.iter().filter(|record| !record.ended_ms.is_nan()).count(),
            last_arrival_ms,
            last_end_ms: engine.now_ms(),
            times: lanes.chain(self.by_size(load)).collect(),
            fairness: fairness.collect(),
            devices,
            eta,
            replayed: LANES.iter().filter_map(|lane| self.replayed(load, *lane)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_one_where_all_have_the_same_and_one_of_n_where_one_has_all() {
        assert_eq!(jain([3.0, 3.0, 3.0].into_iter()), Some(1.0));
        assert_eq!(jain([1.0, 0.0, 0.0, 0.0].into_iter()), Some(0.25));
        assert_eq!((jain([1.0].into_iter()), jain([0.0, 0.0].into_iter())), (None, None));
    }
}
