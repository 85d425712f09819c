//! `POST /batches/upload`: a form of the page with a file of requests or a table of prompts, which is stored as it arrives and then quoted.
//!
//! What was wrong with it is kept in the session for the page that the answer leads to.

use super::csv::{CsvError, CsvLines};
use crate::{
    context::Context,
    error::ApiError,
    files::parts::{Unread, parts_of},
    http::{Audience, sessions::SignedIn},
};
use app::UploadRefused;
use axum::{
    extract::{
        FromRequestParts, Request, State,
        multipart::{Field, MultipartError},
    },
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use bytes::Bytes;
use domain::{
    BatchId, Permission,
    batch::{CompletionWindow, FILE_BYTES_MAX, FileExpiry, FilePurpose},
};
use service::{BatchError, BatchRepetition, BatchRequest, FileError, FileUpload, NewFile, User};
use tower_sessions::Session;

const PAGE: &str = "/batches";
/// Of a field beside the file.
const FIELD_BYTES_MAX: usize = 1024;
/// Written to the object store at once.
const WRITTEN_BYTES: usize = 64 * 1024;
/// Looked at to tell what a file is: of a table, its first line, and no less than the least.
const LOOKED_AT_BYTES: usize = 16 * 1024;
const LOOKED_AT_BYTES_MIN: usize = 64;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Why an upload came to nothing.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("Choose a file first.")]
    NoFile,
    #[error("The file is empty. Choose one with a prompt in each row, or a request on each line.")]
    EmptyFile,
    #[error("The file did not arrive as a whole. Send it again.")]
    Broken,
    #[error("This is a spreadsheet, not a table as text. Save it as “CSV UTF-8” and send that.")]
    Spreadsheet,
    #[error("This is not UTF-8 text. Save it as “CSV UTF-8” and send that.")]
    NotText,
    #[error("This is neither a table nor JSON lines. Send a table as CSV, or a file with a request on each line.")]
    Binary,
    #[error("The time within which it is to be begun cannot be read.")]
    Window,
    #[error("You have switched teams since that page was loaded, so nothing was kept. Send the file again.")]
    SwitchedTeams,
    #[error(transparent)]
    Csv(#[from] CsvError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Batch(#[from] BatchError),
}

impl Refused {
    /// As the page says it; the other errors are answered as everywhere.
    fn told(self) -> Result<UploadRefused, ApiError> {
        let text = self.to_string();
        match self {
            Self::Csv(CsvError::Rows(faults)) => Ok(UploadRefused { text, rows: faults.told, more: faults.more }),
            Self::File(FileError::TooLarge) => Ok(UploadRefused::of(format!("A file has at most {} MiB. Split it.", FILE_BYTES_MAX >> 20))),
            Self::File(error @ (FileError::Forbidden(_) | FileError::Terms(_) | FileError::Object(_) | FileError::Store(_))) => {
                Err(error.into())
            }
            Self::Batch(error @ (BatchError::Forbidden(_) | BatchError::Store(_))) => Err(error.into()),
            _ => Ok(UploadRefused::of(text)),
        }
    }
}

/// Leads to the quote, or back to the page that says why there is none.
pub async fn upload(State(context): State<Context>, session: Session, request: Request) -> Response {
    let audience = Audience::of(&request);
    let (mut parts, body) = request.into_parts();
    let user = match SignedIn::from_request_parts(&mut parts, &context).await {
        Ok(SignedIn(user)) => user,
        Err(ApiError::NotSignedIn) => return to_sign_in(context.is_https()),
        Err(error) => return audience.refuse(error),
    };
    if let Err(error) = user.actor().require(Permission::SubmitJobs) {
        return audience.refuse(error.into());
    }
    let refused = match Box::pin(taken(&context, &user, Request::from_parts(parts, body))).await {
        Ok(quote) => return Redirect::to(&format!("{PAGE}/{quote}")).into_response(),
        Err(refused) => refused.told(),
    };
    let kept = match refused {
        Ok(refused) => refused.keep(&session).await.map_err(ApiError::from),
        Err(error) => Err(error),
    };
    match kept {
        Ok(()) => Redirect::to(PAGE).into_response(),
        Err(error) => audience.refuse(error),
    }
}

/// Says there that the file is to be sent again.
fn to_sign_in(is_https: bool) -> Response {
    let mut answer = Redirect::to(&format!("/signin?next={PAGE}")).into_response();
    if let Some(cookie) = app::signed_out_sending(is_https) {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
    answer
}

async fn taken(context: &Context, user: &User, request: Request) -> Result<BatchId, Refused> {
    let (mut multipart, unread) = parts_of(request).await.map_err(|_| Refused::NoFile)?;
    let (mut file, mut window, mut is_chosen) = (None, None, false);
    while let Some(mut part) = multipart.next_field().await.map_err(broken)? {
        unread.clear();
        match part.name().unwrap_or_default() {
            "file" if file.is_none() => {
                let name = part.file_name().unwrap_or_default().to_owned();
                // Where nothing was chosen, a browser sends a file without a name.
                is_chosen = !name.is_empty();
                let mut intake = Intake::new(&name, context.services.begin_file(user.actor()).await?);
                while let Some(piece) = part.chunk().await.map_err(broken)? {
                    unread.clear();
                    intake.take(&piece).await?;
                }
                file = intake.end().await?.map(|upload| (upload, name));
            }
            "window" => window = Some(text(part, &unread).await?),
            "tenant" => {
                let tenant = text(part, &unread).await?;
                if tenant != user.tenant.to_string() {
                    return Err(Refused::SwitchedTeams);
                }
            }
            _ => {
                while part.chunk().await.map_err(broken)?.is_some() {
                    unread.clear();
                }
            }
        }
    }
    let window: CompletionWindow = window.as_deref().unwrap_or("24h").parse().map_err(|_| Refused::Window)?;
    let (upload, name) = file.ok_or(if is_chosen { Refused::EmptyFile } else { Refused::NoFile })?;
    let file = upload.finish(NewFile { name, purpose: FilePurpose::Batch, expiry: FileExpiry::default() }).await?;
    tracing::info!(file.id = %file.id, file.bytes = file.bytes, "a file was sent to be quoted");
    let asked = BatchRequest {
        input: file.id,
        endpoint: "/v1/videos".to_owned(),
        window,
        metadata: None,
        output_expiry: FileExpiry::default(),
        is_dry_run: true,
        repetition: BatchRepetition::default(),
    };
    match context.services.create_batch(user.actor(), asked).await {
        Ok(quote) => Ok(quote.batch.id),
        Err(error) => {
            // Nobody else knows of it.
            let _ = context.services.delete_file(user.actor(), file.id).await;
            Err(error.into())
        }
    }
}

async fn text(mut part: Field<'_>, unread: &Unread) -> Result<String, Refused> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(broken)? {
        unread.clear();
        bytes.extend_from_slice(&piece);
        if bytes.len() > FIELD_BYTES_MAX {
            return Err(Refused::Broken);
        }
    }
    String::from_utf8(bytes).map_err(|_| Refused::Broken)
}

fn broken(_: MultipartError) -> Refused {
    Refused::Broken
}

/// What is wrong with what is no UTF-8: a text in another encoding has no control characters but blanks, and zeros where each of its characters
/// has two bytes.
fn no_text(seen: &[u8]) -> Refused {
    let is_binary = seen.iter().any(|byte| matches!(byte, 1..=8 | 0x0e..=0x1a | 0x1c..=0x1f));
    if is_binary { Refused::Binary } else { Refused::NotText }
}

/// What a file is, once that is known.
enum Content {
    Unknown(Vec<u8>),
    Lines,
    Table(Box<CsvLines>),
}

/// A file on its way in: lines as they are, and a table as lines.
struct Intake {
    upload: FileUpload,
    content: Content,
    is_named_csv: bool,
    is_named_lines: bool,
    /// Nothing but blanks has arrived.
    is_empty: bool,
    /// To be written.
    out: Vec<u8>,
}

impl Intake {
    fn new(name: &str, upload: FileUpload) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let is_named_csv = matches!(ending.as_deref(), Some("csv" | "tsv"));
        let is_named_lines = matches!(ending.as_deref(), Some("jsonl" | "ndjson" | "json"));
        Self { upload, content: Content::Unknown(Vec::new()), is_named_csv, is_named_lines, is_empty: true, out: Vec::new() }
    }

    async fn take(&mut self, piece: &[u8]) -> Result<(), Refused> {
        self.is_empty = self.is_empty && piece.trim_ascii().is_empty();
        match &mut self.content {
            Content::Unknown(seen) => {
                seen.extend_from_slice(piece);
                let has_line = seen.len() >= LOOKED_AT_BYTES_MIN && seen.trim_ascii_start().contains(&b'\n');
                if has_line || seen.len() >= LOOKED_AT_BYTES {
                    self.look()?;
                }
            }
            Content::Lines => self.out.extend_from_slice(piece),
            Content::Table(table) => table.push(piece, &mut self.out)?,
        }
        self.write(WRITTEN_BYTES).await
    }

    /// Tells what it is by its name, and by how it begins where that says nothing.
    fn look(&mut self) -> Result<(), Refused> {
        let Content::Unknown(seen) = &mut self.content else { return Ok(()) };
        let seen = std::mem::take(seen);
        self.content = Content::Lines;
        let seen = seen.strip_prefix(MARK).unwrap_or(&seen);
        if seen.starts_with(b"PK\x03\x04") {
            return Err(Refused::Spreadsheet);
        }
        if seen.starts_with(b"\xff\xfe") || seen.starts_with(b"\xfe\xff") {
            return Err(Refused::NotText);
        }
        if seen.contains(&0) {
            return Err(no_text(seen));
        }
        let begun = seen.trim_ascii_start();
        let is_table = self.is_named_csv || !self.is_named_lines && !begun.starts_with(b"{") && !begun.starts_with(b"[");
        if is_table {
            let first = begun.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
            // Its last character may be cut off.
            if std::str::from_utf8(first).is_err_and(|error| error.error_len().is_some()) {
                return Err(no_text(seen));
            }
            let mut table = Box::new(CsvLines::new(first));
            table.push(seen, &mut self.out)?;
            self.content = Content::Table(table);
        } else {
            self.out.extend_from_slice(seen);
        }
        Ok(())
    }

    /// Writes what there is, if it is so much.
    async fn write(&mut self, bytes_min: usize) -> Result<(), Refused> {
        if !self.out.is_empty() && self.out.len() >= bytes_min {
            self.upload.write(Bytes::from(std::mem::take(&mut self.out))).await?;
        }
        Ok(())
    }

    /// `None`: nothing was sent, or blanks alone.
    async fn end(mut self) -> Result<Option<FileUpload>, Refused> {
        if self.is_empty {
            return Ok(None);
        }
        self.look()?;
        if let Content::Table(table) = std::mem::replace(&mut self.content, Content::Lines) {
            table.end(&mut self.out)?;
        }
        self.write(0).await?;
        Ok(Some(self.upload))
    }
}
