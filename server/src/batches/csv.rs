//! A table of prompts, turned into lines of a batch as it arrives: a row in memory at a time.
//!
//! The first row names the columns: `prompt`, and what else a request may have. The line of a row stands where the row began in the table, with
//! empty lines where that had more, so that whatever is said of a line later names a line of the table.

mod quotes;

use crate::api::fields::{FORCE, Known};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use domain::{
    batch::{LINE_BYTES_MAX, LINES_MAX},
    catalog::{Field, Kind},
};
use quotes::Quotes;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

const COLUMNS_MAX: usize = 64;
/// Rows that are named; of all others it is said how many they are.
const FAULTS_MAX: usize = 50;
const PROMPT: &str = "prompt";
const CUSTOM_ID: &str = "custom_id";
/// As much of a name as a message repeats.
const NAME_CHARS: usize = 40;
const UNCLOSED: &str = "A quote is opened here and never closed, so that all rows behind it are one text. Close it.";
const TORN: &str = "A quote is opened here, and the next one on a later line stands in the middle of a text. Close it, and write each quote within a text twice.";

/// Why a table is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CsvError {
    #[error("The table has no column `prompt`: its first row must name the columns.")]
    NoPrompt,
    #[error("There is no field `{name}`: rename that column, or remove it. Columns may be {CUSTOM_ID}, {}.", fields())]
    UnknownColumn { name: String },
    #[error("The column `{name}` is there twice.")]
    ColumnTwice { name: String },
    #[error("A table has at most {COLUMNS_MAX} columns.")]
    TooManyColumns,
    #[error("A batch has at most {} rows. Split the table.", domain::grouped(LINES_MAX.into()))]
    TooManyRows,
    #[error("The table has no row below the names of its columns, so there is nothing to make.")]
    NoRows,
    #[error("The table cannot be read as it is. Nothing of it was kept.")]
    Rows(RowFaults),
}

/// What is wrong with rows, by the lines at which they begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowFaults {
    /// The first ones.
    pub told: Vec<(u64, String)>,
    pub more: u64,
}

impl RowFaults {
    fn push(&mut self, line: u64, text: String) {
        if self.told.len() < FAULTS_MAX { self.told.push((line, text)) } else { self.more += 1 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    CustomId,
    Of(Known),
}

#[derive(Serialize)]
struct Line<'a> {
    custom_id: &'a str,
    method: &'static str,
    url: &'static str,
    body: BTreeMap<&'static str, Value>,
}

pub struct CsvLines {
    reader: Reader,
    /// Once the first row was read.
    columns: Option<Vec<Column>>,
    /// Of the row at hand, one field behind the other, and where each ends.
    text: Vec<u8>,
    ends: Vec<usize>,
    text_used: usize,
    ends_used: usize,
    /// It does not fit, and is passed over.
    is_too_large: bool,
    is_begun: bool,
    /// At which the row at hand began, from 1.
    line: u64,
    lines_read: u64,
    /// The last byte was a `\r`, which has ended a line: a `\n` behind it is of the same end.
    is_behind_return: bool,
    quotes: Quotes,
    lines_written: u64,
    rows: u32,
    faults: RowFaults,
}

impl CsvLines {
    /// Of a table whose first line is `first`: commas, semicolons or tabs, whichever it has most of, stand between its fields.
    pub fn new(first: &[u8]) -> Self {
        let count = |delimiter: &u8| first.iter().filter(|byte| *byte == delimiter).count();
        // Of equals the last counts.
        let delimiter = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
        Self {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            columns: None,
            text: vec![0; 4096],
            ends: vec![0; COLUMNS_MAX],
            text_used: 0,
            ends_used: 0,
            is_too_large: false,
            is_begun: false,
            line: 1,
            lines_read: 0,
            is_behind_return: false,
            quotes: Quotes::new(delimiter),
            lines_written: 0,
            rows: 0,
            faults: RowFaults::default(),
        }
    }

    /// Adds the lines of what has arrived to `out`.
    ///
    /// # Errors
    /// [`CsvError`]; the rest is not to be read.
    pub fn push(&mut self, mut piece: &[u8], out: &mut Vec<u8>) -> Result<(), CsvError> {
        while !piece.is_empty() {
            if !self.is_begun {
                let blank = piece.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                self.count_lines(&piece[..blank]);
                piece = &piece[blank..];
                self.fill(out);
                if piece.is_empty() {
                    break;
                }
                (self.is_begun, self.line) = (true, self.lines_read + 1);
            }
            let (is_row, used) = self.read(piece);
            self.count_lines(&piece[..used]);
            piece = &piece[used..];
            if is_row {
                self.end_row(out)?;
            }
        }
        Ok(())
    }

    /// Lines end with `\n`, `\r\n`, or `\r` alone, as spreadsheets of old wrote them.
    fn count_lines(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.quotes.follow(*byte, self.lines_read + 1);
            let is_end = *byte == b'\r' || *byte == b'\n' && !self.is_behind_return;
            self.lines_read += u64::from(is_end);
            self.is_behind_return = *byte == b'\r';
        }
    }

    /// Adds empty lines for those of the table that have ended: as they arrive, since there may be any number of them.
    fn fill(&mut self, out: &mut Vec<u8>) {
        if self.faults.told.is_empty() {
            let missing = self.lines_read.saturating_sub(self.lines_written);
            out.extend((0..missing).map(|_| b'\n'));
            self.lines_written += missing;
        }
    }

    /// Ends the last row.
    ///
    /// # Errors
    /// [`CsvError`], also of rows before.
    pub fn end(mut self, out: &mut Vec<u8>) -> Result<(), CsvError> {
        if let Some(line) = self.quotes.open() {
            self.faults.push(line, UNCLOSED.to_owned());
            return Err(CsvError::Rows(self.faults));
        }
        while self.is_begun {
            if self.read(&[]).0 {
                self.end_row(out)?;
            }
        }
        match self.columns {
            None => Err(CsvError::NoPrompt),
            Some(_) if !self.faults.told.is_empty() => Err(CsvError::Rows(self.faults)),
            Some(_) if self.rows == 0 => Err(CsvError::NoRows),
            Some(_) => Ok(()),
        }
    }

    /// Whether a row has ended, and how many bytes were read.
    fn read(&mut self, piece: &[u8]) -> (bool, usize) {
        let (text, ends) = (&mut self.text[self.text_used..], &mut self.ends[self.ends_used..]);
        let (result, used, written, ended) = self.reader.read_record(piece, text, ends);
        self.text_used += written;
        self.ends_used += ended;
        match result {
            ReadRecordResult::OutputFull if self.text.len() < LINE_BYTES_MAX => self.text.resize(2 * self.text.len(), 0),
            ReadRecordResult::OutputFull => (self.is_too_large, self.text_used) = (true, 0),
            ReadRecordResult::OutputEndsFull => (self.is_too_large, self.ends_used) = (true, 0),
            ReadRecordResult::InputEmpty | ReadRecordResult::Record | ReadRecordResult::End => {}
        }
        (matches!(result, ReadRecordResult::Record | ReadRecordResult::End), used)
    }

    fn end_row(&mut self, out: &mut Vec<u8>) -> Result<(), CsvError> {
        let (text, ends) = (std::mem::take(&mut self.text), std::mem::take(&mut self.ends));
        let ended = self.row(&text[..self.text_used], &ends[..self.ends_used], out);
        (self.text, self.ends) = (text, ends);
        (self.text_used, self.ends_used, self.is_too_large, self.is_begun) = (0, 0, false, false);
        ended
    }

    fn row(&mut self, text: &[u8], ends: &[usize], out: &mut Vec<u8>) -> Result<(), CsvError> {
        if let Some(line) = self.quotes.take_torn() {
            self.faults.push(line, TORN.to_owned());
            return if self.columns.is_some() { Ok(()) } else { Err(CsvError::Rows(std::mem::take(&mut self.faults))) };
        }
        let fault = |faults: &mut RowFaults, text: String| {
            faults.push(self.line, text);
            Ok(())
        };
        let Some(columns) = &self.columns else {
            if self.is_too_large {
                return Err(CsvError::TooManyColumns);
            }
            self.columns = Some(columns_named(&fields_of(text, ends).ok_or(CsvError::NoPrompt)?)?);
            return Ok(());
        };
        let fields = if self.is_too_large { None } else { fields_of(text, ends) };
        // Spreadsheets leave empty rows behind, also below as many as may be.
        if fields.as_ref().is_some_and(|fields| fields.iter().all(|field| field.trim().is_empty())) {
            return Ok(());
        }
        if self.rows >= LINES_MAX {
            return Err(CsvError::TooManyRows);
        }
        self.rows += 1;
        if self.is_too_large {
            return fault(
                &mut self.faults,
                format!("The row has more than {} MiB, or more than {COLUMNS_MAX} fields. Is a quote missing?", LINE_BYTES_MAX >> 20),
            );
        }
        let Some(fields) = fields else {
            return fault(&mut self.faults, "The row is not UTF-8. Save the table as “CSV UTF-8”.".to_owned());
        };
        if fields.iter().skip(columns.len()).any(|field| !field.trim().is_empty()) {
            let text =
                format!("The row has {} fields, and the first row {}. Put texts with separators in quotes.", fields.len(), columns.len());
            return fault(&mut self.faults, text);
        }
        // What is wrong with a row keeps the table from being taken, and others are only looked at.
        if self.faults.told.is_empty() {
            out.extend(line_of(columns, &fields, self.line));
            out.push(b'\n');
            self.lines_written += 1;
        }
        Ok(())
    }
}

/// `None`: it is no UTF-8.
fn fields_of<'a>(text: &'a [u8], ends: &[usize]) -> Option<Vec<&'a str>> {
    let mut begin = 0;
    let field = |end: &usize| {
        let field = std::str::from_utf8(&text[begin..*end]).ok();
        begin = *end;
        field
    };
    ends.iter().map(field).collect()
}

fn columns_named(names: &[&str]) -> Result<Vec<Column>, CsvError> {
    let names: Vec<String> = names.iter().map(|name| name.trim().to_lowercase().replace(' ', "_")).collect();
    // Spreadsheets leave empty columns behind.
    let used = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
    let mut columns: Vec<Column> = Vec::new();
    if !names.iter().any(|name| name == PROMPT) {
        return Err(CsvError::NoPrompt);
    }
    for name in &names[..used] {
        let shown = || name.chars().take(NAME_CHARS).collect();
        let column = match name.as_str() {
            CUSTOM_ID => Column::CustomId,
            name => Column::Of(Known::find(name).ok_or_else(|| CsvError::UnknownColumn { name: shown() })?),
        };
        if columns.contains(&column) {
            return Err(CsvError::ColumnTwice { name: shown() });
        }
        columns.push(column);
    }
    Ok(columns)
}

/// The line of a row without its end. A row without a name is called after its line.
fn line_of(columns: &[Column], fields: &[&str], line: u64) -> Vec<u8> {
    let mut custom_id = format!("line-{line}");
    let mut body = BTreeMap::new();
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.trim().is_empty()) {
        match column {
            Column::CustomId => custom_id = field.trim().to_owned(),
            Column::Of(known) => drop(body.insert(known.name(), value(*known, field))),
        }
    }
    serde_json::to_vec(&Line { custom_id: &custom_id, method: "POST", url: "/v1/videos", body }).unwrap_or_default()
}

fn value(known: Known, field: &str) -> Value {
    let is_flag = matches!(known, Known::Force) || matches!(known, Known::Field(field) if field.kind() == Kind::Flag);
    match field.trim() {
        // As spreadsheets write them.
        text if is_flag && text.eq_ignore_ascii_case("true") => Value::Bool(true),
        text if is_flag && text.eq_ignore_ascii_case("false") => Value::Bool(false),
        text => Value::String(text.to_owned()),
    }
}

/// What columns may be, in words.
fn fields() -> String {
    let names: Vec<&str> = Field::ALL.into_iter().map(Field::name).chain([FORCE]).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
