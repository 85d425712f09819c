//! How a line of `data/lexicon.txt` says a meaning: a part of speech, drawings, and `what:which` pairs.

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Motion, Relation, Setting, Style, Weather};
use crate::sprites::atlas;

use super::{Object, Part, Sense};

/// The meaning that a line says before its `=`.
pub fn sense<'a>(head: &str, spec: impl Iterator<Item = &'a str>) -> Result<Sense, String> {
    let mut sense = Sense { part: Some(part(head).ok_or_else(|| format!("no part of speech {head}"))?), ..Sense::default() };
    let mut wanted = false;
    for word in spec {
        match word.split_once(':') {
            Some((what, which)) => pair(&mut sense, what, which)?,
            None => match word {
                "filler" => sense.filler = true,
                "ignored" => sense.ignored = true,
                "aurora" => sense.aurora = true,
                "quotes" => sense.quotes = true,
                "written" => sense.written = true,
                "container" => sense.container = true,
                "many" => sense.many = true,
                "guess" => sense.guess = true,
                "body" => sense.body = true,
                "fur" => (sense.body, sense.coat) = (true, true),
                "owned" => sense.owned = true,
                "after" => sense.after = true,
                "closing" => sense.closing = true,
                _ if sense.is(Part::Verb) => sense.motion = Some(Motion::named(word).ok_or_else(|| format!("no motion {word}"))?),
                _ if sense.is(Part::Preposition) || sense.is(Part::Postposition) => {
                    sense.relation = Some(Relation::named(word).ok_or_else(|| format!("no relation {word}"))?);
                }
                _ if sense.is(Part::Number) => sense.count = Some(word.parse().map_err(|_| format!("no number {word}"))?),
                _ => {
                    wanted = true;
                    sense.sprite = sense.sprite.or_else(|| atlas().named(word));
                }
            },
        }
    }
    if wanted && sense.sprite.is_none() && !sense.is_scene() {
        sense.ignored = true;
    }
    Ok(sense)
}

fn pair(sense: &mut Sense, what: &str, which: &str) -> Result<(), String> {
    fn set<T>(place: &mut Option<T>, value: Option<T>, which: &str) -> Result<(), String> {
        *place = Some(value.ok_or_else(|| format!("nothing is called {which}"))?);
        Ok(())
    }
    match what {
        "upon" => {
            sense.mount = atlas().named(which);
            Ok(())
        }
        "with" => {
            sense.company.push(atlas().named(which).ok_or_else(|| format!("nothing is called {which}"))?);
            Ok(())
        }
        "moves" => set(&mut sense.motion, Motion::named(which), which),
        "act" => set(&mut sense.act, Act::named(which), which),
        "place" => set(&mut sense.place, Backdrop::named(which), which),
        "setting" => {
            set(&mut sense.setting, Setting::named(which), which)?;
            sense.place = sense.setting.map(Setting::backdrop);
            Ok(())
        }
        "weather" => set(&mut sense.weather, Weather::named(which), which),
        "hour" => set(&mut sense.hour, Hour::named(which), which),
        "colour" => set(&mut sense.colour, Colour::named(which), which),
        "style" => set(&mut sense.style, Style::named(which), which),
        "gives" => set(&mut sense.effect, Effect::named(which), which),
        "size" => set(&mut sense.size, which.parse().ok(), which),
        "count" => set(&mut sense.count, which.parse().ok(), which),
        "object" => {
            let object = match which {
                "worn" => Some(Object::Worn),
                "beside" => Some(Object::Beside),
                "tossed" => Some(Object::Tossed),
                "played" => Some(Object::Played),
                _ => Relation::named(which).map(Object::Subject),
            };
            set(&mut sense.object, object, which)
        }
        _ => Err(format!("nothing is set by {what}")),
    }
}

fn part(name: &str) -> Option<Part> {
    Some(match name {
        "noun" => Part::Noun,
        "verb" => Part::Verb,
        "adj" => Part::Adjective,
        "adv" => Part::Adverb,
        "det" => Part::Determiner,
        "number" => Part::Number,
        "pron" => Part::Pronoun,
        "relative" => Part::Relative,
        "aux" => Part::Auxiliary,
        "prep" => Part::Preposition,
        "post" => Part::Postposition,
        "conj" => Part::Conjunction,
        "not" => Part::Negation,
        "then" => Part::Then,
        "caption" => Part::Caption,
        "phrase" => Part::Phrase,
        _ => return None,
    })
}
