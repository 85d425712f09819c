//! Tables in any spelling, and what is wrong with them.

use super::*;

fn read(table: &str, piece: usize) -> Result<String, CsvError> {
    let mut lines = CsvLines::new(table.lines().next().unwrap_or_default().as_bytes());
    let mut out = Vec::new();
    for piece in table.as_bytes().chunks(piece) {
        lines.push(piece, &mut out)?;
    }
    lines.end(&mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

fn bodies(table: &str) -> Vec<(usize, String, Value)> {
    let lines = read(table, 4096).unwrap();
    let filled = lines.lines().enumerate().filter(|(_, line)| !line.is_empty());
    let parsed = filled.map(|(at, line)| (at + 1, serde_json::from_str::<Value>(line).unwrap()));
    parsed.map(|(at, line)| (at, line["custom_id"].as_str().unwrap().to_owned(), line["body"].clone())).collect()
}

#[test]
fn each_row_is_a_line_that_stands_where_it_began_however_the_table_is_cut() {
    let table = "Custom_ID,Prompt,seconds\r\n\r\na,\"a \"\"red\"\"\nball, rolling\",2\r\n,sea,\r\n,,\r\nz,شمس,4";
    let whole = bodies(table);
    let expected = [
        (3, "a", serde_json::json!({"prompt": "a \"red\"\nball, rolling", "seconds": "2"})),
        (5, "line-5", serde_json::json!({"prompt": "sea"})),
        (7, "z", serde_json::json!({"prompt": "شمس", "seconds": "4"})),
    ];
    assert_eq!(whole, expected.map(|(at, name, body)| (at, name.to_owned(), body)));
    let all = read(table, 4096).unwrap();
    for piece in 1..table.len() {
        assert_eq!(read(table, piece).unwrap(), all, "in pieces of {piece}");
    }
}

#[test]
fn lines_end_as_they_do_on_any_system_and_are_counted_alike() {
    let table = "prompt,custom_id\n\nsea,\n\"a\nb\",\nsun,\n";
    for end in ["\n", "\r", "\r\n"] {
        let table = table.replace('\n', end);
        let named: Vec<_> = bodies(&table).into_iter().map(|(at, name, _)| (at, name)).collect();
        assert_eq!(named, [3, 4, 6].map(|line| (line, format!("line-{line}"))), "{end:?}");
        let all = read(&table, 4096).unwrap();
        for piece in 1..table.len() {
            assert_eq!(read(&table, piece).unwrap(), all, "{end:?} in pieces of {piece}");
        }
    }
}

#[test]
fn a_gap_of_any_length_is_written_as_it_arrives() {
    const PIECE: usize = 64 * 1024;
    for gap in ["\n", "\r\n", ",\n", "\"\n\",\n"] {
        let table = format!("prompt,seed\n{}sea,1\n", gap.repeat(8 * PIECE / gap.len()));
        let (mut lines, mut out, mut written) = (CsvLines::new(b"prompt,seed"), Vec::new(), Vec::new());
        for piece in table.as_bytes().chunks(PIECE) {
            lines.push(piece, &mut out).unwrap();
            assert!(out.len() <= 2 * PIECE, "{} bytes at once of {gap:?}", out.len());
            written.append(&mut out);
        }
        lines.end(&mut out).unwrap();
        written.append(&mut out);
        let line = written.split(|byte| *byte == b'\n').position(|line| !line.is_empty()).unwrap();
        assert_eq!(line, table.matches('\n').count() - 1, "of {gap:?}");
    }
}

#[test]
fn semicolons_and_tabs_separate_as_well_and_flags_are_written_as_spreadsheets_do() {
    for separator in [";", "\t"] {
        let table = format!("prompt{separator}force{separator}seed\na, b{separator}TRUE{separator}7\n");
        assert_eq!(bodies(&table)[0].2, serde_json::json!({"prompt": "a, b", "force": true, "seed": "7"}));
    }
    assert_eq!(bodies("prompt\nsea\n")[0].2, serde_json::json!({"prompt": "sea"}));
}

#[test]
fn what_is_wrong_with_the_first_row_is_named() {
    for (table, error) in [
        ("", CsvError::NoPrompt),
        ("\n\n", CsvError::NoPrompt),
        ("a red ball\nsea\n", CsvError::NoPrompt),
        ("prompt,colour\nsea,red\n", CsvError::UnknownColumn { name: "colour".into() }),
        ("prompt,seed\n\n,\n", CsvError::NoRows),
        ("prompt,Prompt\nsea,sea\n", CsvError::ColumnTwice { name: "prompt".into() }),
    ] {
        assert_eq!(read(table, 3), Err(error), "{table:?}");
    }
    assert_eq!(read(&format!("prompt{}", ",".repeat(100)), 7), Err(CsvError::TooManyColumns));
    assert!(read("prompt,,\nsea,,\n", 7).is_ok(), "empty columns are none");
}

#[test]
fn what_is_wrong_with_rows_is_told_by_line_and_as_far_as_it_is_worth_it() {
    let told = |table: &[u8]| {
        let (mut lines, mut out) = (CsvLines::new(b"prompt,seed"), Vec::new());
        lines.push(table, &mut out).unwrap();
        match lines.end(&mut out) {
            Err(CsvError::Rows(faults)) => faults,
            other => panic!("{other:?}"),
        }
    };
    let faults = told(b"prompt,seed\nsea, blue,7\nfine,1\n\xff\xfe,2\n");
    assert_eq!(faults.told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4]);
    let many = told(format!("prompt,seed\n{}", "a,b,c\n".repeat(200)).as_bytes());
    assert_eq!((many.told.len(), many.more), (FAULTS_MAX, 150));
    let long = told(format!("prompt,seed\n\"{}\",1\nsea,2\n", "x".repeat(3 * LINE_BYTES_MAX)).as_bytes());
    assert_eq!(long.told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2]);
    let returns = told(b"prompt,seed\rsea, blue,7\rfine,1\r\xff\xfe,2\r");
    assert_eq!(returns.told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn a_quote_that_is_not_closed_is_told_by_the_line_that_opens_it_and_a_text_of_several_lines_is_one() {
    let told = |table: &str, piece| match read(table, piece) {
        Err(CsvError::Rows(faults)) => faults.told,
        other => panic!("{other:?} of {table:?}"),
    };
    for (table, line, text) in [
        ("prompt,seed\nsea,1\n\"a red ball,2\nsun,3\nrain,4\n", 3, UNCLOSED),
        ("prompt,seed\nsea,1\n\"a red\nball\",\"2\nsun,3\n", 4, UNCLOSED),
        ("prompt,seed\nsea,1\nsun,\"", 3, UNCLOSED),
        ("prompt,\"seed\nsea,1\n", 1, UNCLOSED),
        ("prompt,seed\n\"a red ball,2\nsun,3\n\"rain, falling\",4\nsea,5\n", 2, TORN),
        ("\"prompt,seed\n\"sea\",1\n", 1, TORN),
    ] {
        for piece in [1, 7, 4096] {
            assert_eq!(told(table, piece), [(line, text.to_owned())], "{table:?} in pieces of {piece}");
            let returns = table.replace('\n', "\r\n");
            assert_eq!(told(&returns, piece), [(line, text.to_owned())], "{returns:?} in pieces of {piece}");
        }
    }
    let fine = "prompt,seed\n\"a \"\"red\"\"\n\n\"\"ball\"\"\",1\n12\" wide,2\n\"a\" b,\"3\"\n\"\",\n\"sea\"";
    let prompts: Vec<_> = bodies(fine).into_iter().map(|(line, _, body)| (line, body["prompt"].as_str().unwrap().to_owned())).collect();
    let expected = [(2, "a \"red\"\n\n\"ball\""), (5, "12\" wide"), (6, "a b"), (8, "sea")];
    assert_eq!(prompts, expected.map(|(line, prompt)| (line, prompt.to_owned())));
    let with_blanks = bodies("prompt,seed\n\"a\nb\" \t,1\n");
    assert!(with_blanks.len() == 1 && with_blanks[0].2["prompt"].as_str().unwrap().trim_end() == "a\nb", "{with_blanks:?}");
}

#[test]
fn more_rows_than_a_batch_has_lines_are_not_read() {
    let table = format!("prompt\n{}", "a\n".repeat(LINES_MAX as usize + 1));
    assert_eq!(read(&table, 64 * 1024), Err(CsvError::TooManyRows));
    assert_eq!(CsvError::TooManyRows.to_string(), "A batch has at most 50,000 rows. Split the table.");
    assert!(read(&table[..table.len() - 2], 64 * 1024).is_ok());
}

#[test]
fn empty_rows_below_as_many_as_a_batch_has_lines_are_none() {
    let table = format!("prompt,seed\n{},\n , \n", "a,\n".repeat(LINES_MAX as usize));
    assert_eq!(read(&table, 64 * 1024).unwrap().lines().filter(|line| !line.is_empty()).count(), LINES_MAX as usize);
    assert_eq!(read(&format!("{table}a,\n"), 64 * 1024), Err(CsvError::TooManyRows));
}
