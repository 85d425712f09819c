//! No circles between modules: of two that lie side by side at most one knows the other, directly or through others.
//! Tests may know everything.

use std::collections::{BTreeMap, BTreeSet};

use super::expect_none;
use super::graph::CRATES;
use super::source::RUST;
use super::tokens::{self, tokens};

type Path = Vec<String>;

#[test]
fn modules_know_each_other_in_one_direction() {
    let mut complaints = Vec::new();
    for (name, folder, _) in CRATES {
        let modules = modules(&format!("{folder}/src/"));
        let uses = uses(&modules);
        let parents: BTreeSet<_> = modules.keys().filter_map(|module| module.split_last()).map(|(_, parent)| parent).collect();
        for parent in parents {
            complaints.extend(circles(&siblings(&uses, parent)).into_iter().map(|circle| {
                let place: Vec<_> = std::iter::once(name).chain(parent.iter().map(String::as_str)).collect();
                format!("{}: {circle}; move what both need below them, or to where it is used", place.join("::"))
            }));
        }
    }
    expect_none(complaints);
}

/// The modules of a crate with the tokens of their files, tests aside.
fn modules(source: &str) -> BTreeMap<Path, Vec<String>> {
    let files = RUST.iter().filter_map(|file| Some((file.path.strip_prefix(source)?.strip_suffix(".rs")?, &file.text)));
    let modules = files.map(|(path, text)| {
        let mut module: Path = path.split('/').map(str::to_owned).collect();
        module.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
        let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        (module, tokens(&text[..end]))
    });
    modules.filter(|(module, _)| module.last().is_none_or(|last| last != "tests")).collect()
}

/// Which other modules each one names.
fn uses(modules: &BTreeMap<Path, Vec<String>>) -> BTreeSet<(Path, Path)> {
    let mut exported = BTreeMap::new();
    for (module, tokens) in modules {
        let children: BTreeSet<_> = tokens::declared(tokens).collect();
        for path in tokens::exports(tokens) {
            let path: &[String] = if path.first().is_some_and(|first| first == "self") { &path[1..] } else { &path };
            if let (Some(first), Some(last)) = (path.first(), path.last())
                && children.contains(first)
            {
                exported.insert([module.as_slice(), std::slice::from_ref(last)].concat(), [module.as_slice(), path].concat());
            }
        }
    }
    let mut uses = BTreeSet::new();
    for (module, tokens) in modules {
        let children: BTreeSet<_> = tokens::declared(tokens).collect();
        for path in tokens::paths(tokens) {
            let Some(named) = absolute(module, &children, &path) else { continue };
            let named = origin(named, &exported, modules);
            let target = (0..=named.len()).rev().map(|length| &named[..length]).find(|part| modules.contains_key(*part));
            uses.extend(target.filter(|target| target != module).map(|target| (module.clone(), target.to_vec())));
        }
    }
    uses
}

/// From the root of the crate. `None`: it leads out of it.
fn absolute(module: &[String], children: &BTreeSet<String>, path: &[String]) -> Option<Path> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "super" | "self" => {
            let ups = path.iter().take_while(|part| matches!(part.as_str(), "super" | "self")).count();
            let supers = path[..ups].iter().filter(|part| *part == "super").count();
            let base = module.len().checked_sub(supers)?;
            Some([&module[..base], &path[ups..]].concat())
        }
        first if children.contains(first) => Some([module, path].concat()),
        _ => None,
    }
}

/// Where something lies that is named by the place from which it is exported.
fn origin(mut path: Path, exported: &BTreeMap<Path, Path>, modules: &BTreeMap<Path, Vec<String>>) -> Path {
    // As deep as exports of exports go.
    for _ in 0..4 {
        let found = (1..=path.len()).find_map(|length| {
            let place = exported.get(&path[..length]).filter(|_| !modules.contains_key(&path[..length]))?;
            Some([place.as_slice(), &path[length..]].concat())
        });
        match found {
            Some(place) => path = place,
            None => break,
        }
    }
    path
}

/// Which of the modules right below `parent` names which other, by itself or by a module within it.
fn siblings(uses: &BTreeSet<(Path, Path)>, parent: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let below = |path: &Path| path.strip_prefix(parent).and_then(|rest| rest.first().cloned());
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in uses.iter().filter_map(|(from, to)| Some((below(from)?, below(to)?))).filter(|(from, to)| from != to) {
        graph.entry(from).or_default().insert(to);
    }
    graph
}

/// Those that can be reached from themselves, one line for each circle.
fn circles(graph: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let reached = |start: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(module) = next.pop() {
            next.extend(graph.get(module).into_iter().flatten().filter(|other| seen.insert((*other).clone())));
        }
        seen
    };
    let all: BTreeMap<_, _> = graph.keys().map(|module| (module, reached(module))).collect();
    let circle = |module: &String| {
        let mutual = all[module].iter().filter(|other| all.get(other).is_some_and(|back| back.contains(module)));
        mutual.cloned().collect::<Vec<_>>().join(" and ")
    };
    graph.keys().filter(|module| all[module].contains(*module)).map(circle).map(|names| format!("{names} know each other")).collect()
}

#[test]
fn a_circle_is_found_also_through_others_and_through_exports() {
    let module = |path: &str, text: &str| (path.split("::").map(str::to_owned).filter(|part| !part.is_empty()).collect(), tokens(text));
    let modules = BTreeMap::from([
        module("", "mod a; mod b; mod c; pub use a::{Thing, inner::Other};"),
        module("a", "use crate::b::{self, B}; mod inner;"),
        module("a::inner", "fn f(c: super::super::c::C) {}"),
        module("b", "// use crate::a::A;\n fn f() -> &'static str { \"crate::a\" }"),
        module("c", "use crate::Other;"),
    ]);
    let graph = siblings(&uses(&modules), &[]);
    assert_eq!(circles(&graph), BTreeSet::from(["a and c know each other".to_owned()]));
}
