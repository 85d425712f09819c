//! How often each rule was kept, as tables of Markdown, and where it was not.

use std::collections::BTreeMap;

use crate::drawn::Found;

/// Who arranged a scene.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Network,
    NetworkSettled,
    Rules,
    RulesSettled,
}

impl By {
    pub const ALL: [Self; 4] = [Self::Network, Self::NetworkSettled, Self::Rules, Self::RulesSettled];
}

/// A scene and what was found in it.
pub struct Judged {
    pub seed: u64,
    pub aspect: &'static str,
    pub things: usize,
    /// Its kinds, motions, relations and its place, each once.
    pub traits: Vec<String>,
    /// Described for a person.
    pub said: String,
    /// By each of [`By::ALL`].
    pub found: [Vec<Found>; 4],
}

impl Judged {
    fn settled(&self) -> &[Found] {
        &self.found[By::NetworkSettled as usize]
    }
}

/// Times kept, times asked.
#[derive(Clone, Copy, Default)]
struct Count([usize; 2]);

impl Count {
    fn of<'a>(found: impl Iterator<Item = &'a Found>) -> Self {
        found.fold(Self::default(), |Self([kept, asked]), (_, keeps)| Self([kept + usize::from(*keeps), asked + 1]))
    }

    /// 0 to 1; 1 when nothing was asked.
    fn share(self) -> f32 {
        let Self([kept, asked]) = self;
        if asked == 0 { 1.0 } else { kept as f32 / asked as f32 }
    }

    fn cell(self) -> String {
        if self.0[1] == 0 { "-".into() } else { format!("{:.1}", 100.0 * self.share()) }
    }
}

/// Prints everything; the share of all rules that the network's settled scenes keep.
pub fn print(all: &[Judged], drawn: u64) -> f32 {
    let mut rules: Vec<&str> = all.iter().flat_map(|judged| &judged.found).flatten().map(|(rule, _)| *rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let of = |by: By, rule: Option<&str>| {
        let found = all.iter().flat_map(|judged| &judged.found[by as usize]);
        Count::of(found.filter(|(name, _)| rule.is_none_or(|rule| rule == *name)))
    };
    println!("{} scenes, {drawn} of them drawn as well; per cent.\n", all.len());
    println!("| rule | asked | network | settled: as drawn | rules alone | rules, settled |\n| --- | --- | --- | --- | --- | --- |");
    for rule in std::iter::once(None).chain(rules.iter().map(|rule| Some(*rule))) {
        let asked = of(By::NetworkSettled, rule).0[1];
        let cells = By::ALL.map(|by| of(by, rule).cell()).join(" | ");
        println!("| {} | {asked} | {cells} |", rule.unwrap_or("all"));
    }
    by_aspect(all, &rules);
    by_traits(all);
    misses(all);
    of(By::NetworkSettled, None).share()
}

fn by_aspect(all: &[Judged], rules: &[&str]) {
    let mut aspects: Vec<&str> = all.iter().map(|judged| judged.aspect).collect();
    aspects.sort_unstable();
    aspects.dedup();
    println!("\n| rule, the network's scenes as drawn | {} |\n| --- |{}", aspects.join(" | "), " --- |".repeat(aspects.len()));
    for rule in std::iter::once(None).chain(rules.iter().map(|rule| Some(*rule))) {
        let cell = |aspect: &&str| {
            let found = all.iter().filter(|judged| judged.aspect == *aspect).flat_map(Judged::settled);
            Count::of(found.filter(|(name, _)| rule.is_none_or(|rule| rule == *name))).cell()
        };
        println!("| {} | {} |", rule.unwrap_or("all"), aspects.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
}

/// By how many things there are, then the kinds, motions, relations and places whose scenes keep least.
fn by_traits(all: &[Judged]) {
    const WORST: usize = 12;
    const SCENES: usize = 12;
    let mut with: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for judged in all {
        judged.traits.iter().for_each(|name| with.entry(name).or_default().push(judged));
    }
    let row = |name: &str, scenes: &[&Judged]| {
        let whole = scenes.iter().filter(|judged| judged.settled().iter().all(|(_, kept)| *kept)).count();
        println!("| {name} | {} | {} | {} |", scenes.len(), kept(scenes).cell(), Count([whole, scenes.len()]).cell());
    };
    println!("\n| scenes with | scenes | rules kept | scenes that keep all |\n| --- | --- | --- | --- |");
    for things in 1..=6 {
        let scenes: Vec<_> = all.iter().filter(|judged| judged.things == things).collect();
        row(&format!("{things} things"), &scenes);
    }
    let mut worst: Vec<_> = with.iter().filter(|(_, scenes)| scenes.len() >= SCENES).collect();
    worst.sort_by(|(_, a), (_, b)| kept(a).share().total_cmp(&kept(b).share()));
    worst.into_iter().take(WORST).for_each(|(name, scenes)| row(name, scenes));
}

fn kept(scenes: &[&Judged]) -> Count {
    Count::of(scenes.iter().flat_map(|judged| judged.settled()))
}

/// Of each rule that is broken, the worst rule first, the scenes with the fewest things: where it is easiest to see why.
fn misses(all: &[Judged]) {
    const EACH: usize = 4;
    let mut broken: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for judged in all {
        for (rule, _) in judged.settled().iter().filter(|(_, kept)| !kept) {
            let scenes = broken.entry(rule).or_default();
            if scenes.last().is_none_or(|last| last.seed != judged.seed) {
                scenes.push(judged);
            }
        }
    }
    let share = |rule: &str| Count::of(all.iter().flat_map(Judged::settled).filter(|(name, _)| *name == rule)).share();
    let mut broken: Vec<_> = broken.into_iter().collect();
    broken.sort_by(|(a, _), (b, _)| share(a).total_cmp(&share(b)));
    println!("\n| rule, worst first | scenes that break it | some of these: seed, things, place |\n| --- | --- | --- |");
    for (rule, mut scenes) in broken {
        scenes.sort_by_key(|judged| judged.things);
        let some: Vec<_> = scenes.iter().take(EACH).map(|judged| format!("{}: {}", judged.seed, judged.said)).collect();
        println!("| {rule} | {} | {} |", scenes.len(), some.join("<br>"));
    }
}
