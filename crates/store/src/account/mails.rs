//! Mails of an installation that sends none: they stay here, for its operator. And those that wait in the outbox.

use crate::{Store, StoreError, database::write::Write, rows::account::tokens};
use domain::{Email, Timestamp};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

/// For so long, in milliseconds: thirty days.
const KEPT_MS: i64 = 30 * 24 * 3_600_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptMail {
    pub id: Uuid,
    pub recipient: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub at: Timestamp,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    recipient: String,
    subject: String,
    text_body: String,
    html_body: String,
    created_at_ms: i64,
}

const COLUMNS: &str = "id, recipient, subject, text_body, html_body, created_at_ms";

#[derive(Clone, Copy)]
pub struct Mails<'a> {
    store: &'a Store,
}

impl<'a> Mails<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub async fn keep(self, mail: &KeptMail) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let sql = format!("INSERT INTO mails ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)");
        let texts = [&mail.recipient, &mail.subject, &mail.text, &mail.html].map(|text| sea_orm::Value::from(text.as_str()));
        let [recipient, subject, text, html] = texts;
        let statement = write.statement(&sql, [mail.id.into(), recipient, subject, text, html, write.now.ms().into()]);
        write.tx.execute_raw(statement).await?;
        write.commit().await
    }

    /// The newest first.
    pub async fn list(self, limit: u64) -> Result<Vec<KeptMail>, StoreError> {
        let db = &self.store.db;
        let sql = format!("SELECT {COLUMNS} FROM mails ORDER BY created_at_ms DESC, id DESC LIMIT $1");
        let values = [i64::try_from(limit).unwrap_or(i64::MAX).into()];
        let rows = Row::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).all(db).await?;
        Ok(rows.into_iter().map(parsed).collect())
    }

    pub async fn find(self, id: Uuid) -> Result<Option<KeptMail>, StoreError> {
        let db = &self.store.db;
        let sql = format!("SELECT {COLUMNS} FROM mails WHERE id = $1");
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.into()]);
        Ok(Row::find_by_statement(statement).one(db).await?.map(parsed))
    }

    /// Forgets old mails, and the links of mails that nobody comes back with.
    pub async fn forget(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let old = write.statement("DELETE FROM mails WHERE created_at_ms <= $1", [write.now.plus_ms(-KEPT_MS).ms().into()]);
        write.tx.execute_raw(old).await?;
        tokens::forget(&write).await?;
        write.commit().await
    }
}

/// To or about somebody whose account is gone.
pub(super) async fn forget_about(write: &Write, email: &Email) -> Result<(), StoreError> {
    let named = format!("%{}%", email.as_str().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    let sql = format!("SELECT {COLUMNS} FROM mails WHERE recipient = $1 OR LOWER(text_body) LIKE $2 ESCAPE '\\'");
    // Of those that have it somewhere, some have it in a longer address.
    for mail in Row::find_by_statement(write.statement(&sql, [email.as_str().into(), named.into()])).all(&write.tx).await? {
        if mail.recipient == email.as_str() || email.is_said_in(&mail.text_body) {
            write.tx.execute_raw(write.statement("DELETE FROM mails WHERE id = $1", [mail.id.into()])).await?;
        }
    }
    Ok(())
}

fn parsed(row: Row) -> KeptMail {
    KeptMail {
        id: row.id,
        recipient: row.recipient,
        subject: row.subject,
        text: row.text_body,
        html: row.html_body,
        at: Timestamp::from_ms(row.created_at_ms),
    }
}
