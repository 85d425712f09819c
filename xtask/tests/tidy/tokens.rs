//! As much of Rust's syntax as it takes to see which modules a file names.

/// Identifiers, `::` and single signs; comments, strings and characters are left out.
pub fn tokens(text: &str) -> Vec<String> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' {
            string(rest)
        } else if first == '\'' {
            character(rest)
        } else if is_of_word(first) {
            let length = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// `r"..."`, `br#"..."#`: how long it is.
fn raw_string(text: &str) -> Option<usize> {
    let start = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = start.len() - start.trim_start_matches('#').len();
    let inside = start[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = inside.find(&close).map_or(inside.len(), |end| end + close.len());
    Some(text.len() - inside.len() + end)
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '"' if !escaped => return at + 1,
            _ => escaped = sign == '\\' && !escaped,
        }
    }
    text.len()
}

/// A character, or only the tick of a lifetime.
fn character(text: &str) -> usize {
    let mut signs = text.char_indices().skip(1);
    match signs.next() {
        Some((_, '\\')) => text[2..].char_indices().skip(1).find(|(_, sign)| *sign == '\'').map_or(text.len(), |(at, _)| at + 3),
        Some(_) => match signs.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// The modules that a file declares.
pub fn declared(tokens: &[String]) -> impl Iterator<Item = String> {
    tokens.windows(3).filter(|three| three[0] == "mod" && three[2] == ";").map(|three| three[1].clone())
}

/// What a file exports of others: the paths of its `pub use`.
pub fn exports(tokens: &[String]) -> Vec<Vec<String>> {
    let is_public = |at: usize| at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
    let starts = (0..tokens.len()).filter(|at| tokens[*at] == "use" && is_public(*at));
    starts.flat_map(|at| tree(&tokens[at + 1..])).collect()
}

/// Every path that a file names: of its `use`, and in full elsewhere.
pub fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            let end = tokens[at..].iter().position(|token| token == ";").map_or(tokens.len(), |end| at + end);
            paths.extend(tree(&tokens[at + 1..end]));
            at = end;
        } else if matches!(tokens[at].as_str(), "crate" | "super" | "self") && tokens.get(at + 1).is_some_and(|next| next == "::") {
            let (path, length) = straight(&tokens[at..]);
            paths.push(path);
            at += length;
        } else {
            at += 1;
        }
    }
    paths
}

/// `a::b::c` up to where it ends, and how many tokens that are.
fn straight(tokens: &[String]) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    let mut at = 0;
    while let Some(part) = tokens.get(at).filter(|part| part.starts_with(is_of_word)) {
        path.push(part.clone());
        at += 1;
        if tokens.get(at).is_none_or(|next| next != "::") {
            break;
        }
        at += 1;
    }
    (path, at.max(1))
}

/// The paths of a tree such as `a::{b, c::{self, d as e}}`.
fn tree(tokens: &[String]) -> Vec<Vec<String>> {
    let (prefix, length) = straight(tokens);
    if tokens.get(length).is_none_or(|token| token != "{") {
        return vec![prefix];
    }
    let (mut branches, mut depth, mut start) = (Vec::new(), 0, length + 1);
    for at in length..tokens.len() {
        match tokens[at].as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && tokens[at] == ",") {
            branches.extend((start < at).then(|| &tokens[start..at]));
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    branches.into_iter().flat_map(tree).map(|branch| [prefix.as_slice(), &branch].concat()).collect()
}

#[test]
fn words_and_signs_are_kept_and_what_is_quoted_is_not() {
    let text = "use a::{b, c}; // crate::x\nlet s = \"crate::y\\\"\"; let r = r#\"crate::\"z\"#; let c = '\"'; fn f<'a>(x: &'a u8) {} /* crate::w */";
    let all = tokens(text).join(" ");
    assert_eq!(all, "use a :: { b , c } ; let s = ; let r = ; let c = ; fn f < a > ( x : & a u8 ) { }");
}

#[test]
fn a_tree_of_imports_is_its_paths() {
    let of = |text: &str| paths(&tokens(text)).into_iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(of("use a::{b::{self, c as d}, e}; crate::f::g(); x.self_test();"), ["a::b::self", "a::b::c", "a::e", "crate::f::g"]);
}
