//! What goes on in the month: videos on every day, some that fail or are cancelled, a refund, and some that still wait.

use super::{
    DAY_MS, Stage,
    people::{Cast, Team},
    work::{self, Clips, Outcome},
};
use anyhow::Result;
use domain::{Actor, JobRequest, Timestamp};
use service::{Submission, SubmitError, billing::Refund};
use store::Asked;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// Left for a worker that starts afterwards.
const WAITING: usize = 3;
/// The size of the clips.
const SIZE: &str = "384x384";

/// SplitMix64 (Steele, Lea and Flood, 2014): each demo has the same month.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(usize::try_from(self.below(all.len().max(1) as u64)).unwrap_or_default())
    }
}

/// When somebody asks for a video.
struct Wish {
    at: Timestamp,
    team: usize,
}

pub async fn pass(stage: &Stage, cast: &Cast, clips: &Clips) -> Result<()> {
    let mut random = Random(1);
    for Wish { at, team } in wishes(stage, &cast.teams, &mut random) {
        stage.turn_to(at);
        fulfil(stage, &cast.teams[team], clips, &mut random).await?;
    }
    give_back(stage, cast).await?;
    stage.turn_to(stage.now);
    for team in cast.teams.iter().take(WAITING) {
        submit(stage, team.owner.actor(), "a sailboat on the sea at sunset").await?;
    }
    stage.services.deliver_events(Actor::System).await?;
    Ok(())
}

/// In the order in which they come: by day, in working hours, fewer on weekends, and more as the month goes on.
fn wishes(stage: &Stage, teams: &[Team], random: &mut Random) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for days_ago in (0..stage.days - 1).rev() {
        let midnight = stage.now.ms() / DAY_MS * DAY_MS - days_ago * DAY_MS;
        let is_weekend = matches!((midnight / DAY_MS + 4) % 7, 0 | 6);
        for (team, part) in teams.iter().enumerate() {
            let usual = if is_weekend { part.a_day / 3 } else { part.a_day };
            for _ in 0..usual + random.below(2 + part.a_day / 2 * u64::from(days_ago < 10)) {
                let at = Timestamp::from_ms(midnight + 7 * HOUR_MS + random.below(12 * 60 * 60 * 1000).cast_signed());
                wishes.push(Wish { at, team });
            }
        }
    }
    // Pages of the last day show something whatever the hour is.
    wishes
        .extend((0..8).map(|n| Wish { at: stage.now.plus_ms(-n * 2 * HOUR_MS - HOUR_MS / 2), team: usize::try_from(n % 2).unwrap_or(0) }));
    wishes.retain(|wish| wish.at < stage.now.plus_ms(-HOUR_MS / 4));
    wishes.sort_by_key(|wish| wish.at);
    wishes
}

async fn fulfil(stage: &Stage, team: &Team, clips: &Clips, random: &mut Random) -> Result<()> {
    let (Some(maker), Some(clip)) = (random.of(&team.makers), random.of(&clips.0)) else { return Ok(()) };
    if let Some(secret) = &maker.secret {
        stage.services.open(secret, "").await?;
    }
    let Some(job) = submit(stage, maker.actor, clip.prompt).await? else { return Ok(()) };
    stage.advance_ms(500 + random.below(20_000).cast_signed());
    let chance = random.below(20);
    if chance == 0 {
        stage.services.cancel(maker.actor, job).await?;
        return Ok(());
    }
    let outcome = if chance == 1 { Outcome::Failed } else { Outcome::Made };
    let ms = |range: u64, random: &mut Random| u32::try_from(random.below(range)).unwrap_or_default();
    work::finish(stage, clip, outcome, (8000 + ms(9000, random), 1500 + ms(2500, random))).await
}

/// `None`: the team has no credit left, or is at its limit.
async fn submit(stage: &Stage, maker: Actor, prompt: &str) -> Result<Option<domain::JobId>> {
    let request = JobRequest { prompt: prompt.to_owned(), size: Some(SIZE.to_owned()), ..JobRequest::default() };
    match stage.services.submit(maker, Submission { request, ..Submission::default() }).await {
        Ok(accepted) => Ok(Some(accepted.job.id)),
        Err(SubmitError::NotAdmitted(_) | SubmitError::NotNow { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The operator gives back what the last video of the second team was charged.
async fn give_back(stage: &Stage, cast: &Cast) -> Result<()> {
    let Some(team) = cast.teams.get(1) else { return Ok(()) };
    let rows = stage.services.ledger(team.owner.actor(), None, 20).await?.rows;
    let charged = rows.iter().find(|row| row.kind == domain::billing::EntryKind::Capture).and_then(|row| row.job);
    if let Some(job) = charged {
        let refund = Refund { job, amount: None, reason: "the dog has five legs".to_owned(), once: None };
        let by = Asked { user: cast.operator.id, address: "" };
        stage.services.refund(cast.operator.installation_actor(), Some(by), refund).await?;
    }
    Ok(())
}
