//! A zip file written as it is sent: entries are stored as they are, and what is known of one only at its end stands behind it.
//!
//! Where a number does not fit into 32 bits, or there are more entries than fit into 16, it is written as zip64. Source: APPNOTE.TXT 6.3.10,
//! sections 4.3 to 4.5.

use domain::Timestamp;
use std::iter;
use time::OffsetDateTime;

/// What comes behind the data says how much that was, and names are in UTF-8.
const FLAGS: u16 = 0x0808;
const VERSION: u16 = 20;
const VERSION_ZIP64: u16 = 45;
/// Made on Unix, where an entry has a mode.
const MADE_BY: u16 = 3 << 8 | VERSION_ZIP64;
const MODE: u32 = 0o100_644 << 16;
const ZIP64: u16 = 1;
const U32_FULL: u64 = 0xffff_ffff;
const U16_FULL: u64 = 0xffff;
/// Entries of the directory in one piece.
const LISTED_AT_ONCE: usize = 256;

/// What has been written.
#[derive(Default)]
pub struct Archive {
    entries: Vec<Entry>,
    /// Bytes written so far.
    offset: u64,
}

struct Entry {
    name: String,
    modified: u32,
    offset: u64,
    bytes: u64,
    crc: u32,
    is_zip64: bool,
}

impl Archive {
    /// Begins an entry; its data follow. `bytes`: about how many these will be.
    pub fn begin(&mut self, name: String, bytes: u64, modified: Timestamp) -> Vec<u8> {
        let entry = Entry { name, modified: dos(modified), offset: self.offset, bytes: 0, crc: 0, is_zip64: bytes >= U32_FULL };
        let extra = if entry.is_zip64 { [&ZIP64.to_le_bytes()[..], &16_u16.to_le_bytes(), &[0; 16]].concat() } else { Vec::new() };
        let mut header = Vec::with_capacity(30 + entry.name.len() + extra.len());
        put32(&mut header, 0x0403_4b50);
        put16(&mut header, if entry.is_zip64 { VERSION_ZIP64 } else { VERSION });
        put16(&mut header, FLAGS);
        put16(&mut header, 0);
        put32(&mut header, entry.modified);
        // Hash and lengths come behind the data.
        header.extend_from_slice(&[0; 12]);
        put16(&mut header, short(entry.name.len() as u64));
        put16(&mut header, short(extra.len() as u64));
        header.extend_from_slice(entry.name.as_bytes());
        header.extend_from_slice(&extra);
        self.entries.push(entry);
        self.offset += header.len() as u64;
        header
    }

    /// Ends the entry that was begun last, of which so many `bytes` with this hash were written.
    pub fn end(&mut self, bytes: u64, crc: u32) -> Vec<u8> {
        let mut behind = Vec::with_capacity(24);
        if let Some(entry) = self.entries.last_mut() {
            (entry.bytes, entry.crc) = (bytes, crc);
            put32(&mut behind, 0x0807_4b50);
            put32(&mut behind, crc);
            let mut length = Vec::with_capacity(8);
            if entry.is_zip64 {
                put64(&mut length, bytes)
            } else {
                put32(&mut length, long(bytes))
            }
            // As it is stored, and as it is.
            behind.extend(length.repeat(2));
        }
        self.offset += bytes + behind.len() as u64;
        behind
    }

    /// What ends the file, in pieces.
    pub fn finish(self) -> impl Iterator<Item = Vec<u8>> {
        let Self { entries, offset } = self;
        let count = entries.len() as u64;
        let bytes: u64 = entries.iter().map(|entry| entry.listed().len() as u64).sum();
        let pieces = entries.len().div_ceil(LISTED_AT_ONCE);
        let listed = move |piece: usize| {
            let entries = entries.iter().skip(piece * LISTED_AT_ONCE).take(LISTED_AT_ONCE);
            entries.flat_map(Entry::listed).collect::<Vec<u8>>()
        };
        (0..pieces).map(listed).chain(iter::once_with(move || end_of_directory(count, bytes, offset)))
    }
}

impl Entry {
    /// As it stands in the directory.
    fn listed(&self) -> Vec<u8> {
        let mut extra = Vec::new();
        if self.bytes >= U32_FULL {
            put64(&mut extra, self.bytes);
            put64(&mut extra, self.bytes);
        }
        if self.offset >= U32_FULL {
            put64(&mut extra, self.offset);
        }
        if !extra.is_empty() {
            extra = [&ZIP64.to_le_bytes()[..], &short(extra.len() as u64).to_le_bytes(), &extra].concat();
        }
        let mut listed = Vec::with_capacity(46 + self.name.len() + extra.len());
        put32(&mut listed, 0x0201_4b50);
        put16(&mut listed, MADE_BY);
        put16(&mut listed, if self.is_zip64 || !extra.is_empty() { VERSION_ZIP64 } else { VERSION });
        put16(&mut listed, FLAGS);
        put16(&mut listed, 0);
        put32(&mut listed, self.modified);
        put32(&mut listed, self.crc);
        put32(&mut listed, long(self.bytes));
        put32(&mut listed, long(self.bytes));
        put16(&mut listed, short(self.name.len() as u64));
        put16(&mut listed, short(extra.len() as u64));
        // No comment, the first disk, no kind of data.
        listed.extend_from_slice(&[0; 6]);
        put32(&mut listed, MODE);
        put32(&mut listed, long(self.offset));
        listed.extend_from_slice(self.name.as_bytes());
        listed.extend_from_slice(&extra);
        listed
    }
}

/// Behind a directory of `count` entries, of so many `bytes`, that begins at `offset`.
fn end_of_directory(count: u64, bytes: u64, offset: u64) -> Vec<u8> {
    let mut end = Vec::with_capacity(98);
    if count >= U16_FULL || bytes >= U32_FULL || offset >= U32_FULL {
        put32(&mut end, 0x0606_4b50);
        put64(&mut end, 44);
        put16(&mut end, MADE_BY);
        put16(&mut end, VERSION_ZIP64);
        end.extend_from_slice(&[0; 8]);
        for number in [count, count, bytes, offset] {
            put64(&mut end, number);
        }
        put32(&mut end, 0x0706_4b50);
        put32(&mut end, 0);
        put64(&mut end, offset + bytes);
        put32(&mut end, 1);
    }
    put32(&mut end, 0x0605_4b50);
    end.extend_from_slice(&[0; 4]);
    put16(&mut end, short(count));
    put16(&mut end, short(count));
    put32(&mut end, long(bytes));
    put32(&mut end, long(offset));
    put16(&mut end, 0);
    end
}

fn put16(out: &mut Vec<u8>, number: u16) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// As far as it fits: full means that it stands elsewhere.
fn short(number: u64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn long(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Two seconds are the least that it tells; time in the lower half, as they stand in the file.
fn dos(moment: Timestamp) -> u32 {
    let Ok(at) = OffsetDateTime::from_unix_timestamp(moment.unix_seconds()) else { return 0 };
    let year = u32::try_from(at.year() - 1980).unwrap_or(0).min(127);
    let date = year << 9 | u32::from(u8::from(at.month())) << 5 | u32::from(at.day());
    let time = (u32::from(at.hour()) << 11) | (u32::from(at.minute()) << 5) | (u32::from(at.second()) / 2);
    date << 16 | time
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs::File,
        io::{Seek, SeekFrom, Write},
        process::Command,
    };

    /// What Python's zipfile, which shares no code with this, prints.
    fn python(program: &str, file: &std::path::Path) -> String {
        let ran = Command::new("python3")
            .args(["-c", &format!("import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n{program}")])
            .arg(file)
            .output();
        let ran = ran.expect("python3 should be there");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap().trim().to_owned()
    }

    fn add(archive: &mut Archive, name: &str, data: &[u8]) -> Vec<u8> {
        let mut written = archive.begin(name.to_owned(), data.len() as u64, Timestamp::from_ms(1_795_278_605_000));
        written.extend_from_slice(data);
        written.extend(archive.end(data.len() as u64, crc32fast::hash(data)));
        written
    }

    fn ended(archive: Archive, mut written: Vec<u8>) -> tempfile::NamedTempFile {
        written.extend(archive.finish().flatten());
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&written).unwrap();
        file
    }

    #[test]
    fn another_program_reads_every_entry_with_its_name_and_time() {
        let mut archive = Archive::default();
        let written =
            [add(&mut archive, "a.mp4", b"sea"), add(&mut archive, "ü-شمس.mp4", b""), add(&mut archive, "b.mp4", &[7; 100_000])].concat();
        let file = ended(archive, written);
        let told =
            python("print(z.testzip(), [(i.filename, i.file_size, i.date_time) for i in z.infolist()], z.read('a.mp4'))", file.path());
        let at = "(2026, 11, 21, 16, 30, 4)";
        assert_eq!(told, format!("None [('a.mp4', 3, {at}), ('ü-شمس.mp4', 0, {at}), ('b.mp4', 100000, {at})] b'sea'"));
        let nothing = ended(Archive::default(), Vec::new());
        assert_eq!(python("print(z.namelist())", nothing.path()), "[]");
    }

    #[test]
    fn more_entries_than_fit_into_sixteen_bits_are_read() {
        let mut archive = Archive::default();
        let written: Vec<u8> = (0..70_000).flat_map(|n: u32| add(&mut archive, &format!("{n}.mp4"), &n.to_le_bytes())).collect();
        let file = ended(archive, written);
        assert_eq!(python("print(len(z.namelist()), int.from_bytes(z.read('69999.mp4'), 'little'))", file.path()), "70000 69999");
    }

    #[test]
    fn an_entry_of_more_than_four_gigabytes_and_one_behind_it_are_read() {
        const LARGE: u64 = 5 << 30;
        let (mut archive, named) = (Archive::default(), tempfile::NamedTempFile::new().unwrap());
        let mut file: File = named.reopen().unwrap();
        file.write_all(&archive.begin("large.bin".into(), LARGE, Timestamp::from_ms(0))).unwrap();
        // A hole, whose hash is not looked at.
        file.seek(SeekFrom::Current(LARGE.cast_signed())).unwrap();
        file.write_all(&archive.end(LARGE, 0)).unwrap();
        file.write_all(&add(&mut archive, "behind.mp4", b"sea")).unwrap();
        archive.finish().for_each(|piece| file.write_all(&piece).unwrap());
        let told = python("print([(i.filename, i.file_size) for i in z.infolist()], z.read('behind.mp4'))", named.path());
        assert_eq!(told, format!("[('large.bin', {LARGE}), ('behind.mp4', 3)] b'sea'"));
    }
}
