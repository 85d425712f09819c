//! The folder a server hands out: the bundle and the style sheet under `pkg/`, beside the files of
//! `public/`.
//!
//! Each file of `pkg/` has a second name that carries a hash of its content, listed in
//! `pkg/hash.txt` as leptos reads it (`hash_files`): a page that uses those names may let browsers
//! keep the files for good.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::bundle::Bundle;
use super::{Mode, OUTPUT, compress, files};
use crate::console::kilobytes;
use crate::project::Project;

/// What leptos calls each file, and the file's plain name.
const HASHED: [(&str, &str); 3] = [("js", ".js"), ("wasm", "_bg.wasm"), ("css", ".css")];

pub fn assemble(project: &Project, bundle: &Bundle, style: &str, mode: Mode) -> Result<()> {
    let public = project.root.join("public");
    let site = project.site();
    let stamp = project.target.join("site.stamp");
    let wanted = fingerprint(&public, bundle, style)?;
    if site.exists() && fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
        eprintln!("    the site is up to date");
        return Ok(());
    }
    let draft = site.with_extension("new");
    if draft.exists() {
        fs::remove_dir_all(&draft)?;
    }
    lay_out(&draft, &public, style, mode)?;
    files::copy(&bundle.folder, &draft.join("pkg"))?;
    add_hashed_names(&draft.join("pkg"))?;
    report(&draft.join("pkg"))?;
    files::replace(&site, &draft)?;
    fs::write(stamp, wanted).context("cannot note that the site is made")
}

fn fingerprint(public: &Path, bundle: &Bundle, style: &str) -> Result<String> {
    let mut parts = vec![bundle.fingerprint.clone().into_bytes(), style.as_bytes().to_vec()];
    for file in files::list(public)? {
        parts.push(file.to_string_lossy().into_owned().into_bytes());
        parts.push(fs::read(public.join(file))?);
    }
    Ok(files::fingerprint(parts.iter().map(Vec::as_slice)))
}

/// Everything but the bundle, which comes compressed already.
fn lay_out(site: &Path, public: &Path, style: &str, mode: Mode) -> Result<()> {
    let pkg = site.join("pkg");
    fs::create_dir_all(&pkg)?;
    files::copy(public, site)?;
    fs::write(pkg.join(format!("{OUTPUT}.css")), style)?;
    if mode == Mode::Release { compress::folder(site) } else { Ok(()) }
}

fn add_hashed_names(pkg: &Path) -> Result<()> {
    let mut list = String::new();
    for (kind, ending) in HASHED {
        let plain = pkg.join(format!("{OUTPUT}{ending}"));
        let hash = files::fingerprint([&*fs::read(&plain)?]);
        let hashed = pkg.join(format!("{OUTPUT}.{hash}.{kind}"));
        fs::hard_link(&plain, &hashed)?;
        for twin in ["br", "gz"] {
            if compress::beside(&plain, twin).exists() {
                fs::hard_link(compress::beside(&plain, twin), compress::beside(&hashed, twin))?;
            }
        }
        list.push_str(&format!("{kind}: {hash}\n"));
    }
    fs::write(pkg.join("hash.txt"), list)?;
    Ok(())
}

fn report(pkg: &Path) -> Result<()> {
    let size = |file: &Path| fs::metadata(file).map(|about| kilobytes(about.len()));
    for (_, ending) in HASHED {
        let file = pkg.join(format!("{OUTPUT}{ending}"));
        let packed = size(&compress::beside(&file, "br"));
        let note = packed.map_or(String::new(), |packed| format!(", {packed} with brotli"));
        eprintln!("    {OUTPUT}{ending}: {}{note}", size(&file)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_hash_names_a_file_with_the_same_content() {
        let folder = tempfile::tempdir().unwrap();
        for (_, ending) in HASHED {
            fs::write(folder.path().join(format!("{OUTPUT}{ending}")), ending).unwrap();
        }
        add_hashed_names(folder.path()).unwrap();
        let list = fs::read_to_string(folder.path().join("hash.txt")).unwrap();
        for ((kind, ending), line) in HASHED.iter().zip(list.lines()) {
            let hash = line.strip_prefix(&format!("{kind}: ")).unwrap();
            let hashed = folder.path().join(format!("{OUTPUT}.{hash}.{kind}"));
            assert_eq!(fs::read_to_string(hashed).unwrap(), *ending);
        }
    }
}
