//! The `files` table: every file that was ever promised a key, until its object is known to be gone.
//!
//! | written             | when                                                              |
//! |---------------------|-------------------------------------------------------------------|
//! | the row             | before the upload                                                 |
//! | `is_stored`         | when the object is whole; from then on the tenant sees the file    |
//! | `unneeded_since_ms` | when it is deleted or expires, or its upload has broken off        |

mod garbage;

pub use garbage::FileRows;
pub(crate) use garbage::{is_any_stored, named};

use crate::{
    Store, StoreError, billing, chance,
    database::write::Write,
    entity::{batch, file as table, signed, unsigned},
};
use domain::{
    ApiKeyId, FileId, ProjectId, TenantId, Timestamp, UserId,
    batch::{FileExpiry, FilePurpose},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Statement,
    sea_query::{Expr, ExprTrait, LockType},
};

const TABLE: &str = "files";
const USED: &str = "SELECT COUNT(*) AS files, CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM files \
     WHERE tenant_id = $1 AND unneeded_since_ms IS NULL";

/// A file that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub id: FileId,
    pub tenant: TenantId,
    pub project: ProjectId,
    pub user: UserId,
    pub purpose: FilePurpose,
    pub name: String,
    pub bytes: u64,
    pub object_key: String,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
}

/// Who puts a file into the store.
#[derive(Debug, Clone, Copy)]
pub struct FileOwner {
    pub user: UserId,
    pub api_key: Option<ApiKeyId>,
    /// `None`: the default one.
    pub project: Option<ProjectId>,
}

/// A file that is to be stored under this key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnouncedFile {
    pub id: FileId,
    pub object_key: String,
}

/// What is known of a file once all of it has arrived.
#[derive(Debug, Clone)]
pub struct FileTerms {
    pub name: String,
    pub purpose: FilePurpose,
    pub expiry: FileExpiry,
    pub bytes: u64,
}

/// A page of the list of files; ids sort by creation.
#[derive(Debug, Clone, Copy)]
pub struct FileQuery {
    pub after: Option<FileId>,
    pub limit: u64,
    pub oldest_first: bool,
    pub purpose: Option<FilePurpose>,
}

#[derive(Debug, Clone)]
pub struct FilePage {
    pub files: Vec<File>,
    pub has_more: bool,
}

/// What has become of a file that was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileDeletion {
    Done,
    Unknown,
    /// A batch that has not ended reads it.
    InUse,
}

/// What a tenant keeps, with files that are on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilesUsed {
    pub files: u64,
    pub bytes: u64,
}

#[derive(FromQueryResult)]
struct Used {
    files: i64,
    bytes: i64,
}

/// Files of a tenant, reached through it.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> Files<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// Promises a key for a file that is about to arrive.
    ///
    /// # Errors
    /// [`StoreError::TenantGone`] where its tenant was deleted.
    pub async fn announce(self, owner: FileOwner, name: &str) -> Result<AnnouncedFile, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        billing::lock_live_tenant(&write.tx, self.tenant).await?;
        let id = FileId::from_uuid(chance::new_id());
        let object_key = format!("tenants/{}/files/{id}", self.tenant);
        let row = table::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.tenant.uuid()),
            project_id: Set(owner.project.unwrap_or(ProjectId::default_of(self.tenant)).uuid()),
            user_id: Set(owner.user.uuid()),
            api_key_id: Set(owner.api_key.map(|key| key.uuid())),
            purpose: Set(None),
            name: Set(name.to_owned()),
            bytes: Set(0),
            object_key: Set(object_key.clone()),
            is_stored: Set(false),
            created_at_ms: Set(write.now.ms()),
            touched_at_ms: Set(write.now.ms()),
            expires_at_ms: Set(None),
            unneeded_since_ms: Set(None),
            removal_failures: Set(0),
            remove_after_ms: Set(0),
        };
        table::Entity::insert(row).exec_without_returning(&write.tx).await?;
        write.commit().await?;
        Ok(AnnouncedFile { id, object_key })
    }

    /// So much of it has arrived or is about to. `false`: it was given up meanwhile.
    pub async fn touch(self, id: FileId, bytes: u64) -> Result<bool, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let update = "UPDATE files SET bytes = $1, touched_at_ms = $2 \
             WHERE id = $3 AND tenant_id = $4 AND is_stored = FALSE AND unneeded_since_ms IS NULL";
        let values = [signed::<_, i64>(TABLE, "bytes", bytes)?.into(), write.now.ms().into(), id.uuid().into(), self.tenant.uuid().into()];
        let done = write.tx.execute_raw(write.statement(update, values)).await?;
        write.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Makes an announced file count. `None`: it was given up meanwhile.
    pub async fn store(self, id: FileId, terms: FileTerms) -> Result<Option<File>, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let stored = store(&write, self.tenant, id, &terms).await?;
        write.commit().await?;
        Ok(stored)
    }

    /// Nothing will come of an announced file.
    pub async fn abandon(self, id: FileId) -> Result<(), StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let update = "UPDATE files SET unneeded_since_ms = $1 \
             WHERE id = $2 AND tenant_id = $3 AND is_stored = FALSE AND unneeded_since_ms IS NULL";
        let values = [write.now.ms().into(), id.uuid().into(), self.tenant.uuid().into()];
        write.tx.execute_raw(write.statement(update, values)).await?;
        write.commit().await
    }

    pub async fn get(self, id: FileId) -> Result<Option<File>, StoreError> {
        find(&self.store.of(self.tenant), self.tenant, id, false).await
    }

    pub async fn list(self, query: FileQuery) -> Result<FilePage, StoreError> {
        let mut rows = table::Entity::find()
            .filter(table::Column::TenantId.eq(self.tenant.uuid()))
            .filter(table::Column::UnneededSinceMs.is_null())
            .filter(table::Column::IsStored.eq(true))
            .limit(query.limit.saturating_add(1));
        if let Some(purpose) = query.purpose {
            rows = rows.filter(table::Column::Purpose.eq(purpose.as_str()));
        }
        let (id, after) = (table::Column::Id, query.after.map(FileId::uuid));
        let rows = crate::rows::by_id(rows, id, after, query.oldest_first).all(&self.store.of(self.tenant)).await?;
        let has_more = rows.len() as u64 > query.limit;
        let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let files = rows.into_iter().take(limit).map(parsed).collect::<Result<_, _>>()?;
        Ok(FilePage { files, has_more })
    }

    pub async fn used(self) -> Result<FilesUsed, StoreError> {
        let db = self.store.of(self.tenant);
        let statement = Statement::from_sql_and_values(db.get_database_backend(), USED, [self.tenant.uuid().into()]);
        let Some(used) = Used::find_by_statement(statement).one(&db).await? else { return Ok(FilesUsed::default()) };
        Ok(FilesUsed { files: used.files.unsigned_abs(), bytes: unsigned(TABLE, "bytes", used.bytes)? })
    }

    /// Takes a file out of sight; its object goes with the garbage.
    pub async fn delete(self, id: FileId) -> Result<FileDeletion, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let deletion = delete(&write, self.tenant, id).await?;
        write.commit().await?;
        Ok(deletion)
    }
}

/// The same in a transaction of something else.
pub(super) async fn delete(write: &Write, tenant: TenantId, id: FileId) -> Result<FileDeletion, StoreError> {
    if find(&write.tx, tenant, id, true).await?.is_none() {
        return Ok(FileDeletion::Unknown);
    }
    if is_in_use(write, tenant, id).await? {
        return Ok(FileDeletion::InUse);
    }
    let gone = table::ActiveModel { id: Set(id.uuid()), unneeded_since_ms: Set(Some(write.now.ms())), ..Default::default() };
    gone.update(&write.tx).await?;
    Ok(FileDeletion::Done)
}

/// A file that is whole and was not deleted; `locked` until the transaction ends.
pub(super) async fn find(db: &impl ConnectionTrait, tenant: TenantId, id: FileId, locked: bool) -> Result<Option<File>, StoreError> {
    let query = table::Entity::find_by_id(id.uuid())
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::IsStored.eq(true))
        .filter(table::Column::UnneededSinceMs.is_null());
    let query = if locked { query.lock(LockType::NoKeyUpdate) } else { query };
    query.one(db).await?.map(parsed).transpose()
}

/// The same in a transaction of something else. `None`: it was given up meanwhile.
pub(super) async fn store(write: &Write, tenant: TenantId, id: FileId, terms: &FileTerms) -> Result<Option<File>, StoreError> {
    let row = table::ActiveModel {
        is_stored: Set(true),
        bytes: Set(signed(TABLE, "bytes", terms.bytes)?),
        name: Set(terms.name.clone()),
        purpose: Set(Some(terms.purpose.as_str().to_owned())),
        touched_at_ms: Set(write.now.ms()),
        ..Default::default()
    };
    // It is kept from when it was made on: not from now, when all of it has arrived.
    let kept_ms = terms.expiry.expires_at(Timestamp::from_ms(0), terms.purpose).map(Timestamp::ms);
    let expires_at_ms = kept_ms.map_or(Expr::value(None::<i64>), |kept_ms| Expr::col(table::Column::CreatedAtMs).add(kept_ms));
    let rows = table::Entity::update_many()
        .set(row)
        .col_expr(table::Column::ExpiresAtMs, expires_at_ms)
        .filter(table::Column::Id.eq(id.uuid()))
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::IsStored.eq(false))
        .filter(table::Column::UnneededSinceMs.is_null())
        .exec_with_returning(&write.tx)
        .await?;
    rows.into_iter().next().map(parsed).transpose()
}

/// Whether a batch that has not ended reads it.
async fn is_in_use(write: &Write, tenant: TenantId, id: FileId) -> Result<bool, StoreError> {
    let reading = batch::Entity::find()
        .filter(batch::Column::TenantId.eq(tenant.uuid()))
        .filter(batch::Column::InputFileId.eq(id.uuid()))
        .filter(batch::Column::EndedAtMs.is_null());
    let any: Option<uuid::Uuid> = reading.select_only().column(batch::Column::Id).limit(1).into_tuple().one(&write.tx).await?;
    Ok(any.is_some())
}

fn parsed(row: table::Model) -> Result<File, StoreError> {
    let purpose = row.purpose.as_deref().and_then(FilePurpose::named);
    Ok(File {
        id: FileId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        project: ProjectId::from_uuid(row.project_id),
        user: UserId::from_uuid(row.user_id),
        purpose: purpose.ok_or_else(|| StoreError::inconsistent(TABLE, "purpose", format!("{:?}", row.purpose)))?,
        name: row.name,
        bytes: unsigned(TABLE, "bytes", row.bytes)?,
        object_key: row.object_key,
        created_at: Timestamp::from_ms(row.created_at_ms),
        expires_at: row.expires_at_ms.map(Timestamp::from_ms),
    })
}
