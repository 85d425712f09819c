//! Objects as files below one folder.
pub struct FolderObjects;
