//! Lines of a file that arrives in pieces, one in memory at a time.

use bytes::{Bytes, BytesMut};
use domain::batch::LINE_BYTES_MAX;
use futures::{StreamExt, stream::BoxStream};
use std::io;

/// A line without its end. One that is too long has no bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawLine {
    /// Where it stands in the file.
    pub offset: u64,
    /// Its bytes in the file, without its end.
    pub length: u64,
    pub bytes: Option<Bytes>,
}

pub(super) struct Lines {
    pieces: BoxStream<'static, io::Result<Bytes>>,
    rest: BytesMut,
    /// Of the first byte of `rest`.
    offset: u64,
    /// How much of the line at hand was passed over, as it is too long.
    skipped: u64,
    /// How far `rest` was looked through for the end of a line.
    searched: usize,
    is_over: bool,
}

impl Lines {
    /// Of a file that is read from `offset` on, the beginning of a line.
    pub(super) fn new(pieces: BoxStream<'static, io::Result<Bytes>>, offset: u64) -> Self {
        Self { pieces, rest: BytesMut::new(), offset, skipped: 0, searched: 0, is_over: false }
    }

    /// Behind the last line that was read.
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) async fn next(&mut self) -> io::Result<Option<RawLine>> {
        loop {
            if let Some(at) = self.rest[self.searched..].iter().position(|byte| *byte == b'\n') {
                let line = self.rest.split_to(self.searched + at + 1);
                return Ok(Some(self.line(line.freeze(), 1)));
            }
            self.searched = self.rest.len();
            if self.is_over {
                if self.rest.is_empty() && self.skipped == 0 {
                    return Ok(None);
                }
                let line = self.rest.split();
                return Ok(Some(self.line(line.freeze(), 0)));
            }
            // With its end.
            if self.rest.len() > LINE_BYTES_MAX + 2 {
                self.skipped += self.rest.len() as u64;
                self.rest.clear();
                self.searched = 0;
            }
            match self.pieces.next().await {
                Some(piece) => self.rest.extend_from_slice(&piece?),
                None => self.is_over = true,
            }
        }
    }

    /// `bytes` with its end of so many bytes.
    fn line(&mut self, bytes: Bytes, end: usize) -> RawLine {
        let (offset, skipped) = (self.offset, std::mem::take(&mut self.skipped));
        self.offset += skipped + bytes.len() as u64;
        self.searched = 0;
        let text = bytes.slice(..bytes.len() - end);
        let text = if text.ends_with(b"\r") { text.slice(..text.len() - 1) } else { text };
        let length = skipped + text.len() as u64;
        let bytes = (skipped == 0 && text.len() <= LINE_BYTES_MAX).then_some(text);
        RawLine { offset, length, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::stream;

    async fn lines(text: &[u8], piece: usize) -> Vec<RawLine> {
        let pieces: Vec<_> = text.chunks(piece).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let mut lines = Lines::new(stream::iter(pieces).boxed(), 0);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            all.push(line);
        }
        assert_eq!(lines.offset(), text.len() as u64);
        all
    }

    #[tokio::test]
    async fn lines_are_the_same_however_the_file_is_cut() {
        let text = b"one\r\n\ntwo\n  three";
        for piece in 1..=text.len() {
            let read: Vec<_> = lines(text, piece).await.into_iter().map(|line| (line.offset, line.bytes.unwrap())).collect();
            let expected = [(0, "one"), (5, ""), (6, "two"), (10, "  three")].map(|(at, text)| (at, Bytes::from_static(text.as_bytes())));
            assert_eq!(read, expected, "in pieces of {piece}");
        }
        assert_eq!(lines(b"", 1).await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_passed_over_and_the_next_is_read() {
        for long in [LINE_BYTES_MAX + 1, 3 * LINE_BYTES_MAX] {
            let text = [vec![b'x'; long], b"\nnext\n".to_vec()].concat();
            let read = lines(&text, 64 * 1024).await;
            assert_eq!((read.len(), read[0].bytes.is_none(), read[0].length), (2, true, long as u64));
            assert_eq!((read[1].offset, read[1].bytes.as_deref()), (long as u64 + 1, Some(&b"next"[..])));
        }
        let longest = [vec![b'x'; LINE_BYTES_MAX], b"\r\n".to_vec()].concat();
        assert_eq!(lines(&longest, 64 * 1024).await[0].bytes.as_ref().map(Bytes::len), Some(LINE_BYTES_MAX));
    }
}
