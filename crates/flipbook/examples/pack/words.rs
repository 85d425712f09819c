//! Packs the words of `cldr-annotations-full` for the drawings of `@iconify-json/fluent-emoji-flat`.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flipbook::words::{has_keywords, phrase_key};
use serde_json::Value;

const LANGUAGES: &[&str] = &[
    "en", "es", "fr", "de", "it", "pt", "nl", "pl", "ru", "uk", "cs", "sv", "da", "no", "fi", "hu", "ro", "el", "tr", "ar", "he", "fa",
    "hi", "bn", "id", "vi", "th", "ja", "ko", "zh",
];
/// Longer keywords are descriptions.
const LONGEST_KEYWORD: usize = 3;

struct Drawing {
    name: String,
    group: String,
    subgroup: String,
}

/// Writes `words.tsv.br` into the folder `out`; `packages` is a `node_modules`.
pub fn pack(packages: &Path, out: &Path) -> Result<()> {
    let drawings = drawings(packages)?;
    let places: BTreeMap<&str, usize> = drawings
        .values()
        .map(|drawing| drawing.name.as_str())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .enumerate()
        .map(|(place, name)| (name, place))
        .collect();
    let mut text = places.keys().copied().collect::<Vec<_>>().join("\t");
    text.push('\n');
    for language in LANGUAGES {
        let mut lines = vec![[Vec::new(), Vec::new()]; places.len()];
        for (word, (_, name, exact)) in words(packages, language, &drawings)? {
            let place = places.get(name.as_str()).context("a drawing without a place")?;
            if exact || has_keywords(&name) {
                lines[*place][usize::from(!exact)].push(word);
            }
        }
        text.push_str(&format!("@{language}\n"));
        for [names, keywords] in lines {
            let tab = if keywords.is_empty() { "" } else { "\t" };
            text.push_str(&format!("{}{tab}{}\n", names.join("|"), keywords.join("|")));
        }
    }
    let mut packed = Vec::new();
    brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 24).write_all(text.as_bytes())?;
    std::fs::write(out.join("words.tsv.br"), &packed)?;
    println!("words.tsv.br: {} bytes of {}", packed.len(), text.len());
    Ok(())
}

/// Emoji without variation selectors -> its drawing.
fn drawings(packages: &Path) -> Result<HashMap<String, Drawing>> {
    let characters = json(&packages.join("@iconify-json/fluent-emoji-flat/chars.json"))?;
    let groups = json(&packages.join("emojibase-data/meta/groups.json"))?;
    let emoji = json(&packages.join("emojibase-data/en/data.json"))?;
    let mut found = HashMap::new();
    for entry in emoji.as_array().context("no list of emoji")? {
        let code = entry["hexcode"].as_str().unwrap_or_default().to_lowercase();
        let Some(name) = characters.get(code.replace("-fe0f", "")).or_else(|| characters.get(&code)).and_then(Value::as_str) else {
            continue;
        };
        if entry["subgroup"].is_null() {
            continue;
        }
        let group = |kind: &str, key: &str| groups[kind][entry[key].to_string()].as_str().unwrap_or_default().to_owned();
        let character = entry["emoji"].as_str().unwrap_or_default().replace('\u{fe0f}', "");
        found.insert(
            character,
            Drawing { name: name.to_owned(), group: group("groups", "group"), subgroup: group("subgroups", "subgroup") },
        );
    }
    Ok(found)
}

/// Word -> how well it fits, the drawing, whether it is the drawing's name.
fn words(packages: &Path, language: &str, drawings: &HashMap<String, Drawing>) -> Result<BTreeMap<String, (f32, String, bool)>> {
    let notes = json(&packages.join(format!("cldr-annotations-full/annotations/{language}/annotations.json")))?;
    let notes = notes["annotations"]["annotations"].as_object().context("no annotations")?;
    let mut found: BTreeMap<String, (f32, String, bool)> = BTreeMap::new();
    for (character, note) in notes {
        let Some(drawing) = drawings.get(&character.replace('\u{fe0f}', "")) else { continue };
        let strings =
            |key: &str| note[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
        let name = strings("tts").first().map(|name| phrase_key(name)).unwrap_or_default();
        let taste = taste(drawing);
        let mut put = |word: String, fit: f32, exact: bool| {
            let letters = word.chars().filter(|c| c.is_alphabetic()).count();
            if letters < 2 && !(letters == 1 && !word.is_ascii() && exact) {
                return;
            }
            let known = found.get(&word);
            if known.is_none_or(|known| fit > known.0 || fit == known.0 && drawing.name < known.1) {
                found.insert(word, (fit, drawing.name.clone(), exact));
            }
        };
        for keyword in strings("default") {
            let word = phrase_key(&keyword);
            let words = word.split(' ').count();
            if words <= LONGEST_KEYWORD && taste > -5.0 {
                let named = name.split(' ').any(|part| part == word);
                put(word, if named { 12.0 } else { 8.0 } + taste - 0.3 * name.split(' ').count() as f32, false);
            }
        }
        put(name, 20.0 + taste, true);
    }
    Ok(found)
}

/// Things that are drawn well come first; signs and faces last.
fn taste(drawing: &Drawing) -> f32 {
    let group = match drawing.group.as_str() {
        "animals-nature" => 3.0,
        "food-drink" | "travel-places" | "activities" | "objects" => 2.0,
        "symbols" => -1.0,
        _ => 0.0,
    };
    let signs = [
        "transport-sign",
        "alphanum",
        "keycap",
        "av-symbol",
        "arrow",
        "warning",
        "zodiac",
        "other-symbol",
        "place-map",
        "geometric",
        "punctuation",
    ];
    let sign = if signs.contains(&drawing.subgroup.as_str()) { -6.0 } else { 0.0 };
    let face = if drawing.name.contains("face") { -3.0 } else { 0.0 };
    group + sign + face
}

fn json(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}
