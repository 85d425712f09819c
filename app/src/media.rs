//! Where the pages find what a job made.

use domain::JobId;

/// The address of a job's main file.
pub fn main_file(id: JobId, is_image: bool) -> String {
    format!("/media/videos/{id}/{}", if is_image { "image" } else { "video" })
}
