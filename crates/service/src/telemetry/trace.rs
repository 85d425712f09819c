//! The id of the request that is being answered: it is in the log of the server, in the row of a job that the request
//! made, and in the log of the workers that work on it.
//!
//! It belongs to the task that answers. What is spawned from there does not know it.

tokio::task_local! {
    static CURRENT: String;
}

/// Does `work` under this id.
pub async fn scope<F: Future>(id: String, work: F) -> F::Output {
    CURRENT.scope(id, work).await
}

/// `None`: no request is being answered.
#[must_use]
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}
