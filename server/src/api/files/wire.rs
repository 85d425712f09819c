//! Files as clients of OpenAI's API know them.

use domain::Timestamp;
use serde::Serialize;
use service::{File, FilePage};
use utoipa::ToSchema;

/// A file.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileObject {
    #[schema(example = "file_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "file")]
    pub object: &'static str,
    #[schema(example = 120_000)]
    pub bytes: u64,
    /// Unix seconds.
    #[schema(example = 1_795_219_200)]
    pub created_at: i64,
    /// When it is deleted; null: not before somebody does.
    pub expires_at: Option<i64>,
    #[schema(example = "prompts.jsonl")]
    pub filename: String,
    /// `batch`, `batch_output`, `vision` or `user_data`.
    #[schema(example = "batch")]
    pub purpose: &'static str,
    /// Always `processed`: a file that is not whole is not listed.
    #[schema(example = "processed")]
    pub status: &'static str,
    /// The project that it is in: that of the key, or the default one.
    pub project_id: String,
}

impl From<&File> for FileObject {
    fn from(file: &File) -> Self {
        Self {
            id: file.id.to_string(),
            object: "file",
            bytes: file.bytes,
            created_at: file.created_at.unix_seconds(),
            expires_at: file.expires_at.map(Timestamp::unix_seconds),
            filename: file.name.clone(),
            purpose: file.purpose.as_str(),
            status: "processed",
            project_id: file.project.to_string(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FileList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<FileObject>,
    pub first_id: Option<String>,
    pub last_id: Option<String>,
    pub has_more: bool,
}

impl From<FilePage> for FileList {
    fn from(page: FilePage) -> Self {
        let data: Vec<_> = page.files.iter().map(FileObject::from).collect();
        let id = |file: Option<&FileObject>| file.map(|file| file.id.clone());
        Self { object: "list", first_id: id(data.first()), last_id: id(data.last()), data, has_more: page.has_more }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FileDeleted {
    pub id: String,
    #[schema(example = "file")]
    pub object: &'static str,
    #[schema(example = true)]
    pub deleted: bool,
}

/// Stands for the form of an upload.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it stands in the API's document alone")]
pub struct CreateFile {
    /// The file: at most 200 MiB.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
    /// `batch`, `vision` or `user_data`.
    #[schema(example = "batch")]
    pub purpose: String,
    /// `created_at`, with `expires_after[seconds]`.
    #[schema(rename = "expires_after[anchor]")]
    pub anchor: Option<String>,
    /// 3,600 to 2,592,000; a file for a batch expires after 30 days unless this is given.
    #[schema(rename = "expires_after[seconds]")]
    pub seconds: Option<u32>,
}
