//! Promo codes and who has used them: the only place that writes their tables.

use crate::{
    Store, StoreError,
    billing::{self, Credits, NewGrant},
    chance,
    database::write::Write,
    entity::{promo_code as table, promo_redemption as redemption, signed, tenant, unsigned},
    rows::account::{asked::Asked, audit},
};
use domain::{
    Act, Audited, TenantId, Timestamp, UserId, VideoTime,
    billing::{Audience, GrantKind, PromoCode, PromoRefusal, PromoTerms},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use std::collections::HashMap;
use uuid::Uuid;

const TABLE: &str = "promo_codes";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A code that is to be made.
#[derive(Debug, Clone)]
pub struct NewPromoCode {
    pub code: PromoCode,
    pub terms: PromoTerms,
}

/// A code as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoCodeRow {
    pub id: Uuid,
    pub code: String,
    pub terms: PromoTerms,
    pub uses: u64,
    pub created_at: Timestamp,
    /// Then nobody uses it any more.
    pub archived_at: Option<Timestamp>,
    /// The email address of who made it; `None`: the command line.
    pub made_by: Option<String>,
}

/// That a tenant has used a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redemption {
    pub tenant: TenantId,
    /// `None`: there is no such tenant any more.
    pub name: Option<String>,
    pub at: Timestamp,
}

/// Why a code gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum PromoError {
    #[error(transparent)]
    Refused(#[from] PromoRefusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Clone, Copy)]
pub struct PromoCodes<'a> {
    store: &'a Store,
}

impl<'a> PromoCodes<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// `false`: there is, or was, a code of this name.
    pub async fn create(self, new: &NewPromoCode, by: Option<Asked<'_>>) -> Result<bool, StoreError> {
        let NewPromoCode { code, terms } = new;
        let write = self.store.write().await?;
        let row = table::ActiveModel {
            id: Set(chance::new_id()),
            code: Set(code.to_string()),
            amount_ms: Set(signed(TABLE, "amount_ms", terms.amount.ms())?),
            credit_days: Set(terms.credit_days.map(|days| signed(TABLE, "credit_days", days)).transpose()?),
            valid_until_ms: Set(terms.valid_until.map(Timestamp::ms)),
            uses_max: Set(terms.uses_max.map(|max| signed(TABLE, "uses_max", max)).transpose()?),
            uses: Set(0),
            audience: Set(terms.audience.as_str().to_owned()),
            created_by: Set(by.map(|by| by.user.uuid())),
            created_at_ms: Set(write.now.ms()),
            archived_at_ms: Set(None),
        };
        let once = OnConflict::column(table::Column::Code).do_nothing().to_owned();
        let made = table::Entity::insert(row).on_conflict(once).exec_without_returning(&write.tx).await?;
        if made == 0 {
            write.abandon().await?;
            return Ok(false);
        }
        note(&write, by, Act::PromoCodeMade, code.as_str()).await?;
        write.commit().await?;
        Ok(true)
    }

    /// `false`: there is no such code, or it is archived already.
    pub async fn archive(self, code: &PromoCode, by: Option<Asked<'_>>) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let archived = table::Entity::update_many()
            .col_expr(table::Column::ArchivedAtMs, Expr::value(write.now.ms()))
            .filter(table::Column::Code.eq(code.as_str()))
            .filter(table::Column::ArchivedAtMs.is_null())
            .exec(&write.tx)
            .await?;
        if archived.rows_affected == 0 {
            write.abandon().await?;
            return Ok(false);
        }
        note(&write, by, Act::PromoCodeArchived, code.as_str()).await?;
        write.commit().await?;
        Ok(true)
    }

    /// The newest first, those before `before`.
    pub async fn list(self, before: Option<Uuid>, limit: u64) -> Result<Vec<PromoCodeRow>, StoreError> {
        let mut query = table::Entity::find();
        if let Some(before) = before {
            query = query.filter(table::Column::Id.lt(before));
        }
        let rows = query.order_by_desc(table::Column::Id).limit(limit).all(&self.store.shared).await?;
        let mut makers = HashMap::new();
        for maker in rows.iter().filter_map(|row| row.created_by) {
            if let Some(found) = self.store.accounts().by_id(UserId::from_uuid(maker)).await? {
                makers.insert(maker, found.email.to_string());
            }
        }
        rows.into_iter().map(|row| parsed(row, &makers)).collect()
    }

    /// Who has used a code, the last first.
    pub async fn redemptions(self, code: Uuid, limit: u64) -> Result<Vec<Redemption>, StoreError> {
        let of_code = redemption::Entity::find().filter(redemption::Column::CodeId.eq(code)).order_by_desc(redemption::Column::AtMs);
        let rows = of_code.order_by_desc(redemption::Column::TenantId).limit(limit).all(&self.store.db).await?;
        let ids = rows.iter().map(|row| row.tenant_id);
        let tenants = tenant::Entity::find().filter(tenant::Column::Id.is_in(ids)).all(&self.store.db).await?;
        let name = |id: Uuid| tenants.iter().find(|tenant| tenant.id == id).map(|tenant| tenant.name.clone());
        let read = |row: redemption::Model| Redemption {
            tenant: TenantId::from_uuid(row.tenant_id),
            name: name(row.tenant_id),
            at: Timestamp::from_ms(row.at_ms),
        };
        Ok(rows.into_iter().map(read).collect())
    }
}

impl Credits<'_> {
    /// Gives the tenant what a code gives, once; says how much that is.
    ///
    /// # Errors
    /// [`PromoError`]; nothing was given.
    pub async fn redeem(self, code: &PromoCode, by: Asked<'_>) -> Result<VideoTime, PromoError> {
        let (store, tenant) = self.parts();
        let write = store.write_of(tenant).await?;
        let redeemed = redeem_in(&write, tenant, code, by).await;
        write.end(redeemed).await
    }
}

async fn redeem_in(write: &Write, tenant: TenantId, code: &PromoCode, by: Asked<'_>) -> Result<VideoTime, PromoError> {
    let db = &write.tx;
    let since = Timestamp::from_ms(billing::lock_tenant(db, tenant).await?.created_at_ms);
    let found = table::Entity::find().filter(table::Column::Code.eq(code.as_str())).one(db).await.map_err(StoreError::from)?;
    let row = found.ok_or(PromoRefusal::Unknown)?;
    let used = redemption::Entity::find_by_id((tenant.uuid(), row.id)).one(db).await.map_err(StoreError::from)?;
    if used.is_some() {
        return Err(PromoRefusal::UsedAlready.into());
    }
    if row.archived_at_ms.is_some() {
        return Err(PromoRefusal::Expired.into());
    }
    let (id, PromoCodeRow { terms, uses, .. }) = (row.id, parsed(row, &HashMap::new())?);
    terms.admit(uses, since, write.now)?;
    if !count_use(db, id).await? {
        return Err(PromoRefusal::UsedUp.into());
    }
    let redemption = redemption::ActiveModel { tenant_id: Set(tenant.uuid()), code_id: Set(id), at_ms: Set(write.now.ms()) };
    redemption::Entity::insert(redemption).exec_without_returning(db).await.map_err(StoreError::from)?;
    let new = NewGrant {
        kind: GrantKind::Gift,
        amount: terms.amount,
        expires_at: terms.credit_days.map(|days| write.now.plus_ms(i64::from(days) * DAY_MS)),
        cause: format!("promo:{code}"),
        price: None,
        note: Some(format!("promo code {code}")),
    };
    billing::grant(db, write.now, tenant, new).await?;
    audit::insert(write, &by.did_in(tenant, Act::PromoCodeUsed, code.as_str())).await?;
    Ok(terms.amount)
}

/// One conditional update: however many use it at once, no more do than may.
async fn count_use(db: &impl ConnectionTrait, code: Uuid) -> Result<bool, StoreError> {
    let max = Expr::col(table::Column::UsesMax);
    let counted = table::Entity::update_many()
        .col_expr(table::Column::Uses, Expr::col(table::Column::Uses).add(1))
        .filter(table::Column::Id.eq(code))
        .filter(table::Column::ArchivedAtMs.is_null())
        .filter(max.clone().is_null().or(Expr::col(table::Column::Uses).lt(max)))
        .exec(db)
        .await?;
    Ok(counted.rows_affected == 1)
}

/// What one tenant has used another one has used too.
pub(crate) async fn copy_redemptions(db: &impl ConnectionTrait, from: TenantId, to: TenantId) -> Result<(), StoreError> {
    let used = redemption::Entity::find().filter(redemption::Column::TenantId.eq(from.uuid())).all(db).await?;
    if used.is_empty() {
        return Ok(());
    }
    let rows =
        used.into_iter().map(|row| redemption::ActiveModel { tenant_id: Set(to.uuid()), code_id: Set(row.code_id), at_ms: Set(row.at_ms) });
    redemption::Entity::insert_many(rows).exec_without_returning(db).await?;
    Ok(())
}

/// Of a tenant that is deleted.
pub(crate) async fn delete_all(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    redemption::Entity::delete_many().filter(redemption::Column::TenantId.eq(tenant.uuid())).exec(db).await?;
    Ok(())
}

/// In the log of who did it.
async fn note(write: &Write, by: Option<Asked<'_>>, act: Act, code: &str) -> Result<(), StoreError> {
    let Some(by) = by else { return Ok(()) };
    let audited = Audited { tenant: None, user: Some(by.user), act, subject: code.to_owned(), address: by.address.to_owned() };
    audit::insert(write, &audited).await
}

fn parsed(row: table::Model, makers: &HashMap<Uuid, String>) -> Result<PromoCodeRow, StoreError> {
    let terms = PromoTerms {
        amount: VideoTime::from_ms(unsigned(TABLE, "amount_ms", row.amount_ms)?),
        credit_days: row.credit_days.map(|days| unsigned(TABLE, "credit_days", days)).transpose()?,
        valid_until: row.valid_until_ms.map(Timestamp::from_ms),
        uses_max: row.uses_max.map(|max| unsigned(TABLE, "uses_max", max)).transpose()?,
        audience: Audience::named(&row.audience).ok_or_else(|| StoreError::inconsistent(TABLE, "audience", &row.audience))?,
    };
    Ok(PromoCodeRow {
        id: row.id,
        code: row.code,
        terms,
        uses: unsigned(TABLE, "uses", row.uses)?,
        created_at: Timestamp::from_ms(row.created_at_ms),
        archived_at: row.archived_at_ms.map(Timestamp::from_ms),
        made_by: row.created_by.and_then(|maker| makers.get(&maker).cloned()),
    })
}
