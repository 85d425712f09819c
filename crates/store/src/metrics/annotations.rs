//! What happened that a chart is read with: a new version, another plan, workers that came and went, alerts. Each is read from the rows that say it.

use super::KeptNumbers;
use crate::StoreError;
use domain::Timestamp;
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// Of each kind, the newest.
pub const ANNOTATIONS_MAX: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotationKind {
    /// A version served for the first time.
    Version,
    /// A plan was changed.
    Plan,
    /// Workers were started or drained.
    Scaling,
    /// An alert fired or was resolved.
    Alert,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    pub at: Timestamp,
    pub kind: AnnotationKind,
    /// In words.
    pub what: String,
}

#[derive(FromQueryResult)]
struct Row {
    at_ms: i64,
    what: String,
}

const SOURCES: [(AnnotationKind, &str); 4] = [
    (
        AnnotationKind::Version,
        "SELECT first_at_ms AS at_ms, 'version ' || version AS what FROM served_versions WHERE first_at_ms >= $1 AND first_at_ms < $2",
    ),
    (
        AnnotationKind::Plan,
        "SELECT created_at_ms AS at_ms, 'plan ' || id || ', version ' || CAST(version AS TEXT) AS what FROM plans \
         WHERE created_at_ms >= $1 AND created_at_ms < $2",
    ),
    (
        AnnotationKind::Scaling,
        "SELECT at_ms, CAST(workers AS TEXT) || ' to ' || CAST(wanted AS TEXT) || ' workers of ' || device AS what FROM scaling_decisions \
         WHERE at_ms >= $1 AND at_ms < $2 AND (started > 0 OR drained > 0)",
    ),
    (
        AnnotationKind::Alert,
        "SELECT at_ms, what || ': ' || name AS what FROM alert_history WHERE at_ms >= $1 AND at_ms < $2 AND what IN ('fired', 'resolved')",
    ),
];

impl KeptNumbers<'_> {
    /// From one moment up to and without another, in the order of time; of each kind the newest [`ANNOTATIONS_MAX`].
    pub async fn annotations(self, from: Timestamp, until: Timestamp) -> Result<Vec<Annotation>, StoreError> {
        let mut annotations = Vec::new();
        for (kind, sql) in SOURCES {
            let sql = format!("{sql} ORDER BY 1 DESC LIMIT {ANNOTATIONS_MAX}");
            let values = [from.ms().into(), until.ms().into()];
            let statement = Statement::from_sql_and_values(self.store.shared.get_database_backend(), sql, values);
            let rows = Row::find_by_statement(statement).all(&self.store.shared).await?;
            annotations.extend(rows.into_iter().map(|row| Annotation { at: Timestamp::from_ms(row.at_ms), kind, what: row.what }));
        }
        annotations.sort_by_key(|annotation| annotation.at);
        Ok(annotations)
    }
}
