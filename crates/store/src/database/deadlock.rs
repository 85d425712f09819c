//! Transactions of PostgreSQL that wait for each other in a circle: it ends one of them, which then has done nothing.

/// Of one transaction.
const TRIES: u32 = 4;

/// Does `work` again where a deadlock has ended it.
pub(crate) async fn retried<T, E, F>(is_deadlock: impl Fn(&E) -> bool, mut work: impl FnMut() -> F) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let mut tries = 1..TRIES;
    loop {
        match work().await {
            Err(error) if is_deadlock(&error) && tries.next().is_some() => {}
            done => return done,
        }
    }
}
