//! Who may depend on whom: effects know rules, never the other way round.

use std::fs;

use super::expect_none;
use super::source::ROOT;

/// Each crate of ours, where it lies, and which others it may use.
pub const CRATES: [(&str, &str, &[&str]); 17] = [
    ("domain", "crates/domain", &[]),
    ("migration", "migration", &[]),
    ("flipbook", "crates/flipbook", &[]),
    ("diffusion", "crates/diffusion", &["domain", "flipbook"]),
    ("embeddings", "crates/embeddings", &[]),
    ("store", "crates/store", &["domain", "migration"]),
    ("stripe-twin", "crates/stripe-twin", &[]),
    ("payments", "crates/payments", &["domain", "stripe-twin"]),
    ("oidc", "crates/oidc", &[]),
    ("webhooks", "crates/webhooks", &["domain"]),
    ("simulation", "crates/simulation", &["domain"]),
    ("traces", "crates/traces", &[]),
    ("service", "crates/service", &["domain", "flipbook", "oidc", "payments", "simulation", "store", "traces", "webhooks"]),
    ("app", "app", &["domain", "service"]),
    ("server", "server", &["app", "domain", "embeddings", "payments", "service", "store", "stripe-twin", "traces"]),
    ("worker", "worker", &["diffusion", "domain", "service", "store", "traces"]),
    ("xtask", "xtask", &[]),
];

/// Libraries that only some crates may use, and what the others do instead.
const RESERVED: [(&[&str], &[&str], &str); 2] = [
    (
        &["candle-core", "candle-nn", "candle-transformers"],
        &["diffusion", "embeddings", "worker"],
        "ask `diffusion` or `embeddings` for what the tensors are needed for",
    ),
    (&["sea-orm", "sea-orm-migration", "sqlx"], &["store", "migration"], "add a method to a repository in `store`"),
];

#[test]
fn crates_depend_only_on_those_below_them() {
    let mut complaints = Vec::new();
    for (name, folder, allowed) in CRATES {
        for dependency in dependencies(folder) {
            // A crate may name itself, to switch on its own test helpers.
            let ours = dependency != name && CRATES.iter().any(|(other, ..)| *other == dependency);
            if ours && !allowed.contains(&&*dependency) {
                complaints.push(format!(
                    "{name} may not depend on {dependency} (it may use: {}); move what both need to a crate below them",
                    allowed.join(", ")
                ));
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn tensors_and_sql_stay_in_their_crates() {
    let mut complaints = Vec::new();
    for (name, folder, _) in CRATES {
        for dependency in dependencies(folder) {
            for (libraries, users, instead) in RESERVED {
                if libraries.contains(&&*dependency) && !users.contains(&name) {
                    complaints.push(format!("{name} may not use {dependency}; {instead}"));
                }
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn every_crate_has_its_place_in_the_graph() {
    let mut members: Vec<_> = ["app", "migration", "server", "worker", "xtask"].map(str::to_owned).into();
    for entry in fs::read_dir(ROOT.join("crates")).expect("there are crates").flatten() {
        members.push(format!("crates/{}", entry.file_name().to_string_lossy()));
    }
    let unknown = members.iter().filter(|member| !CRATES.iter().any(|(_, folder, _)| folder == member));
    expect_none(unknown.map(|member| format!("{member} is new: say in CRATES what it may depend on")).collect());
}

/// What a manifest names in its dependency tables, for building or for tests.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = fs::read_to_string(ROOT.join(folder).join("Cargo.toml")).expect("a crate has a manifest");
    let mut found = Vec::new();
    let mut inside = false;
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            inside = table.ends_with("dependencies");
            // `[dependencies.name]` is a table of its own.
            found.extend(table.split_once("dependencies.").map(|(_, name)| name.to_owned()));
        } else if inside && let Some((name, _)) = line.split_once(['.', '=']) {
            found.push(name.trim().to_owned());
        }
    }
    found
}
