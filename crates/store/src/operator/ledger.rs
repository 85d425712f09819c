//! The ledger of all tenants, as the operator looks through it.
//!
//! Each kind of entries is read from its own end of an index, and the newest of all of them are the page: so a page costs the same however many rows
//! there are, whatever it is filtered by.

use super::Operator;
use crate::{Store, StoreError, entity::unsigned};
use domain::{
    JobId, TenantId, Timestamp, VideoTime,
    billing::{EntryKind, GrantKind},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use uuid::Uuid;

const TABLE: &str = "ledger_entries";

/// Of which entries; `None`: of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    pub tenant: Option<TenantId>,
    pub kind: Option<EntryKind>,
    pub job: Option<JobId>,
    pub from: Option<Timestamp>,
    /// Without this moment itself.
    pub until: Option<Timestamp>,
}

/// A place in the order of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerPlace {
    pub at: Timestamp,
    pub id: Uuid,
}

/// An entry of whichever tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub id: Uuid,
    pub at: Timestamp,
    pub kind: EntryKind,
    pub amount: VideoTime,
    pub tenant: TenantId,
    /// `None`: there is no such tenant any more.
    pub tenant_name: Option<String>,
    pub job: Option<JobId>,
    pub grant: Option<GrantKind>,
    /// What the grant was given for, such as a plan's month, a purchase or a promo code.
    pub cause: String,
    pub note: Option<String>,
}

impl LedgerEntry {
    #[must_use]
    pub const fn place(&self) -> LedgerPlace {
        LedgerPlace { at: self.at, id: self.id }
    }
}

#[derive(Debug, Clone)]
pub struct LedgerEntries {
    pub entries: Vec<LedgerEntry>,
    pub has_more: bool,
}

/// A tenant that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantFound {
    pub id: TenantId,
    pub name: String,
    /// The address of a member who was looked for, or of the first.
    pub email: Option<String>,
}

#[derive(FromQueryResult)]
struct Found {
    id: Uuid,
    at_ms: i64,
    kind: String,
    amount_ms: i64,
    tenant_id: Uuid,
    tenant_name: Option<String>,
    job_id: Option<Uuid>,
    grant_kind: Option<String>,
    cause: Option<String>,
    note: Option<String>,
}

#[derive(FromQueryResult)]
struct FoundTenant {
    id: Uuid,
    name: String,
    email: Option<String>,
}

/// By a name as a whole or a part of it, or by the address of a member.
const FIND: &str = "SELECT tenants.id, tenants.name, (SELECT email FROM users JOIN memberships ON memberships.user_id = users.id \
     WHERE memberships.tenant_id = tenants.id ORDER BY CASE WHEN email LIKE $1 ESCAPE '!' THEN 0 ELSE 1 END, memberships.created_at_ms, users.id \
     LIMIT 1) AS email FROM tenants WHERE tenants.deleted_at_ms IS NULL AND (LOWER(tenants.name) LIKE $1 ESCAPE '!' OR tenants.name LIKE $3 ESCAPE '!' OR EXISTS \
     (SELECT 1 FROM users JOIN memberships ON memberships.user_id = users.id WHERE memberships.tenant_id = tenants.id AND email LIKE $1 ESCAPE '!')) \
     ORDER BY tenants.id DESC LIMIT $2";

impl Operator<'_> {
    /// The newest entries before `before`.
    pub async fn ledger(self, filter: LedgerFilter, before: Option<LedgerPlace>, limit: u64) -> Result<LedgerEntries, StoreError> {
        let statement = page(self.store.db.get_database_backend(), filter, before, limit);
        let mut found = Found::find_by_statement(statement).all(&self.store.db).await?;
        let has_more = found.len() as u64 > limit;
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(LedgerEntries { entries: found.into_iter().map(entry).collect::<Result<_, _>>()?, has_more })
    }

    /// Tenants of which the name, or the address of a member, has this text; at most `limit`.
    pub async fn find_tenants(self, text: &str, limit: u64) -> Result<Vec<TenantFound>, StoreError> {
        let text = text.replace('\0', "").trim().to_owned();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        // SQLite makes small only the letters of ASCII: a name with others is found as it is written.
        let typed = format!("%{}%", text.replace('!', "!!").replace('%', "!%").replace('_', "!_"));
        let values = [typed.to_lowercase().into(), limit.cast_signed().into(), typed.into()];
        let rows = FoundTenant::find_by_statement(statement(self.store, FIND, values));
        let read = |row: FoundTenant| TenantFound { id: TenantId::from_uuid(row.id), name: row.name, email: row.email };
        Ok(rows.all(&self.store.db).await?.into_iter().map(read).collect())
    }

    /// Whose job it is, also when it is deleted. `None`: nothing was ever booked for it.
    pub async fn tenant_of_job(self, job: JobId) -> Result<Option<TenantId>, StoreError> {
        let page = self.ledger(LedgerFilter { job: Some(job), ..LedgerFilter::default() }, None, 1).await?;
        Ok(page.entries.first().map(|entry| entry.tenant))
    }
}

fn statement<const N: usize>(store: &Store, sql: &str, values: [Value; N]) -> Statement {
    Statement::from_sql_and_values(store.db.get_database_backend(), sql, values)
}

/// One entry more than `limit`, where there is one.
fn page(backend: DbBackend, filter: LedgerFilter, before: Option<LedgerPlace>, limit: u64) -> Statement {
    let mut values: Vec<Value> = Vec::new();
    let mut conditions = Vec::new();
    let mut add = |condition: &str, value: Value| {
        values.push(value);
        conditions.push(format!(" AND {condition}${}", values.len()));
    };
    if let Some(tenant) = filter.tenant {
        add("tenant_id = ", tenant.uuid().into());
    }
    if let Some(job) = filter.job {
        add("job_id = ", job.uuid().into());
    }
    if let Some(from) = filter.from {
        add("at_ms >= ", from.ms().into());
    }
    if let Some(until) = filter.until {
        add("at_ms < ", until.ms().into());
    }
    if let Some(LedgerPlace { at, id }) = before {
        values.extend([at.ms().into(), id.into()]);
        conditions.push(format!(" AND (at_ms, id) < (${}, ${})", values.len() - 1, values.len()));
    }
    values.push(limit.saturating_add(1).cast_signed().into());
    let (conditions, most) = (conditions.concat(), values.len());
    // Left to itself SQLite may read a kind of all tenants.
    let table = match (backend, filter.tenant, filter.job) {
        (DbBackend::Sqlite, _, Some(_)) => format!("{TABLE} INDEXED BY ledger_once_for_a_job"),
        (DbBackend::Sqlite, Some(_), None) => format!("{TABLE} INDEXED BY ledger_of_tenant_by_kind"),
        _ => TABLE.to_owned(),
    };
    let newest = |kind: EntryKind| {
        let kind = kind.as_str();
        format!(
            "SELECT * FROM (SELECT id, at_ms, kind, amount_ms, tenant_id, job_id, grant_id, cause, note FROM {table} \
             WHERE kind = '{kind}'{conditions} ORDER BY at_ms DESC, id DESC LIMIT ${most}) AS of_{kind}"
        )
    };
    let kinds: Vec<_> = EntryKind::ALL.into_iter().filter(|kind| filter.kind.is_none_or(|only| only == *kind)).map(newest).collect();
    let sql = format!(
        "SELECT page.id, page.at_ms, page.kind, page.amount_ms, page.tenant_id, page.job_id, page.note, tenants.name AS tenant_name, \
         grants.kind AS grant_kind, grants.cause AS cause FROM (SELECT * FROM ({}) AS every ORDER BY at_ms DESC, id DESC LIMIT ${most}) AS page \
         LEFT JOIN grants ON grants.id = page.grant_id LEFT JOIN tenants ON tenants.id = page.tenant_id ORDER BY page.at_ms DESC, page.id DESC",
        kinds.join(" UNION ALL ")
    );
    Statement::from_sql_and_values(backend, sql, values)
}

fn entry(found: Found) -> Result<LedgerEntry, StoreError> {
    Ok(LedgerEntry {
        id: found.id,
        at: Timestamp::from_ms(found.at_ms),
        kind: EntryKind::named(&found.kind).ok_or_else(|| StoreError::inconsistent(TABLE, "kind", &found.kind))?,
        amount: VideoTime::from_ms(unsigned(TABLE, "amount_ms", found.amount_ms)?),
        tenant: TenantId::from_uuid(found.tenant_id),
        tenant_name: found.tenant_name,
        job: found.job_id.map(JobId::from_uuid),
        grant: found.grant_kind.as_deref().and_then(GrantKind::named),
        cause: found.cause.unwrap_or_default(),
        note: found.note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn whatever_it_is_filtered_by_a_page_reads_each_kind_from_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let id = Uuid::from_u128(7);
        let now = Some(Timestamp::from_ms(1));
        let place = Some(LedgerPlace { at: Timestamp::from_ms(9), id });
        let of_tenant = LedgerFilter { tenant: Some(TenantId::from_uuid(id)), ..LedgerFilter::default() };
        let filters = [
            (LedgerFilter::default(), "ledger_by_kind"),
            (LedgerFilter { from: now, until: now, ..LedgerFilter::default() }, "ledger_by_kind"),
            (LedgerFilter { kind: Some(EntryKind::Refund), ..LedgerFilter::default() }, "ledger_by_kind"),
            (of_tenant, "ledger_of_tenant_by_kind"),
            (LedgerFilter { kind: Some(EntryKind::Expire), from: now, ..of_tenant }, "ledger_of_tenant_by_kind"),
            (LedgerFilter { job: Some(JobId::from_uuid(id)), ..LedgerFilter::default() }, "ledger_once_for_a_job"),
        ];
        for (filter, index) in filters {
            for before in [None, place] {
                let Statement { sql, values, .. } = page(DbBackend::Sqlite, filter, before, 50);
                let explained = Statement { sql: format!("EXPLAIN QUERY PLAN {sql}"), values, db_backend: DbBackend::Sqlite };
                let rows = store.db.query_all_raw(explained).await.unwrap();
                let plan: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
                let reads: Vec<_> = plan.iter().filter(|step| step.contains(TABLE)).collect();
                assert!(!reads.is_empty() && reads.iter().all(|step| step.contains(index)), "{filter:?}: {plan:#?}");
                for table in ["grants", "tenants"] {
                    let search = format!("SEARCH {table} USING INDEX sqlite_autoindex_{table}_1 (id=?)");
                    assert!(plan.iter().any(|step| step.contains(&search)), "{search}: {plan:#?}");
                }
            }
        }
    }
}
