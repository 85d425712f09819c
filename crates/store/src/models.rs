//! The catalog as rows: which models are on offer, and their aliases.
//!
//! A model that is taken off offer keeps its row, as jobs of it may still wait.

use crate::{
    Store, StoreError,
    database::{connect, write::Write},
    entity::{model as table, model_alias as alias_table},
};
use domain::{Catalog, Model, Timestamp, catalog::Understands};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder,
    sea_query::{Expr, OnConflict},
};
use std::collections::{BTreeMap, HashMap};

const TABLE: &str = "models";
/// Names the advisory lock under which the offer changes.
const MODELS_LOCK: i64 = 0x5265_656c_0004;

/// A model as the operator sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedModel {
    pub model: Model,
    pub is_offered: bool,
    pub aliases: Vec<String>,
}

/// What an offer has changed, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfferChange {
    /// New, or on offer again.
    pub added: Vec<String>,
    pub changed: Vec<String>,
    pub withdrawn: Vec<String>,
}

#[derive(Clone, Copy)]
pub struct Models<'a> {
    store: &'a Store,
}

impl<'a> Models<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// What is on offer. A row that cannot be read is passed over, and written down for the operator.
    pub async fn catalog(self) -> Result<Catalog, StoreError> {
        let offered = table::Entity::find().filter(table::Column::IsOffered.eq(true));
        let rows = offered.order_by_asc(table::Column::Id).all(&self.store.shared).await?;
        let models = self.readable(rows).await.into_iter().map(|(model, _)| model).collect();
        Ok(Catalog::new(models, self.aliases().await?))
    }

    /// Every model that is or was on offer.
    pub async fn list(self) -> Result<Vec<OfferedModel>, StoreError> {
        let rows = table::Entity::find().order_by_asc(table::Column::Id).all(&self.store.shared).await?;
        let aliases = self.aliases().await?;
        let aliases_of = |id: &str| aliases.iter().filter(|(_, model)| *model == id).map(|(alias, _)| alias.clone()).collect();
        let mut models = self.readable(rows).await;
        models.sort_by(|(a, _), (b, _)| a.place().cmp(&b.place()));
        let models = models.into_iter();
        Ok(models.map(|(model, is_offered)| OfferedModel { aliases: aliases_of(&model.id), model, is_offered }).collect())
    }

    /// Whether a model was on offer at any time after `since`; one that cannot be read is not.
    pub async fn was_offered(self, id: &str, since: Timestamp) -> Result<bool, StoreError> {
        let Some(row) = table::Entity::find_by_id(id).one(&self.store.shared).await? else { return Ok(false) };
        let is_lately_withdrawn = row.withdrawn_at_ms.is_some_and(|at_ms| at_ms > since.ms());
        Ok(is_lately_withdrawn || self.readable(vec![row]).await.iter().any(|(_, is_offered)| *is_offered))
    }

    /// From now on these are on offer, and no others. An alias that one of them has for its id is gone.
    pub async fn offer(self, models: &[Model]) -> Result<OfferChange, StoreError> {
        let write = self.write().await?;
        let before = table::Entity::find().all(&write.tx).await?;
        let mut before: HashMap<String, table::Model> = before.into_iter().map(|row| (row.id.clone(), row)).collect();
        let mut change = OfferChange::default();
        for model in models {
            let json = |column, value: serde_json::Result<String>| value.map_err(|error| StoreError::inconsistent(TABLE, column, error));
            let plain = Model { understands: Understands::default(), ..model.clone() };
            let manifest = json("manifest", serde_json::to_string(&plain))?;
            let understands = Some(json("understands", serde_json::to_string(&model.understands))?);
            match before.remove(&model.id) {
                Some(row) if row.is_offered && row.manifest == manifest && row.understands == understands => continue,
                Some(row) if row.is_offered => change.changed.push(model.id.clone()),
                _ => change.added.push(model.id.clone()),
            }
            let row = table::ActiveModel {
                id: Set(model.id.clone()),
                manifest: Set(manifest),
                is_offered: Set(true),
                withdrawn_at_ms: Set(None),
                understands: Set(understands),
            };
            let again = OnConflict::column(table::Column::Id)
                .update_columns([
                    table::Column::Manifest,
                    table::Column::IsOffered,
                    table::Column::WithdrawnAtMs,
                    table::Column::Understands,
                ])
                .to_owned();
            table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
        }
        // What a model has for its own stands for no other one, also after it was withdrawn.
        let own = alias_table::Column::Alias.is_in(models.iter().map(|model| model.id.clone()));
        alias_table::Entity::delete_many().filter(own).exec(&write.tx).await?;
        change.withdrawn = before.into_values().filter(|row| row.is_offered).map(|row| row.id).collect();
        change.withdrawn.sort();
        table::Entity::update_many()
            .col_expr(table::Column::IsOffered, Expr::value(false))
            .col_expr(table::Column::WithdrawnAtMs, Expr::value(write.now.ms()))
            .filter(table::Column::Id.is_in(change.withdrawn.iter().cloned()))
            .exec(&write.tx)
            .await?;
        write.commit().await?;
        Ok(change)
    }

    /// `alias` stands for the model of this id from now on, whatever it stood for before. `false`: it is a model's own id, or that
    /// model is not on offer any more. The model must have a row.
    pub async fn set_alias(self, alias: &str, id: &str) -> Result<bool, StoreError> {
        let write = self.write().await?;
        let rows = table::Entity::find().filter(table::Column::Id.is_in([alias, id])).all(&write.tx).await?;
        if rows.iter().any(|row| row.id == alias || !row.is_offered) {
            return Ok(false);
        }
        let row = alias_table::ActiveModel { alias: Set(alias.to_owned()), model_id: Set(id.to_owned()) };
        let again = OnConflict::column(alias_table::Column::Alias).update_column(alias_table::Column::ModelId).to_owned();
        alias_table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
        write.commit().await?;
        Ok(true)
    }

    /// `false`: there was no such alias.
    pub async fn remove_alias(self, alias: &str) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        let done = alias_table::Entity::delete_by_id(alias.to_owned()).exec(&write.tx).await?;
        write.commit().await?;
        Ok(done.rows_affected == 1)
    }

    /// A write that nobody changes the offer beside.
    async fn write(self) -> Result<Write, StoreError> {
        let write = self.store.write().await?;
        if write.backend() == DbBackend::Postgres {
            connect::lock(&write.tx, MODELS_LOCK).await?;
        }
        Ok(write)
    }

    async fn aliases(self) -> Result<BTreeMap<String, String>, StoreError> {
        let rows = alias_table::Entity::find().all(&self.store.shared).await?;
        Ok(rows.into_iter().map(|row| (row.alias, row.model_id)).collect())
    }

    /// Each with whether it is on offer.
    async fn readable(self, rows: Vec<table::Model>) -> Vec<(Model, bool)> {
        let (mut models, mut unreadable) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            match parsed(&row) {
                Ok(model) => models.push((model, row.is_offered)),
                Err(error) => unreadable.push((row.id, error)),
            }
        }
        self.store.operator().note_in_passing(&unreadable).await;
        models
    }
}

fn parsed(row: &table::Model) -> Result<Model, StoreError> {
    let wrong = |problem: String| StoreError::inconsistent(TABLE, "manifest", problem);
    let mut model: Model = serde_json::from_str(&row.manifest).map_err(|error| wrong(error.to_string()))?;
    // Written by a server that knows more of it, it is as if nothing were said.
    model.understands = row.understands.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    model.check().map_err(|error| wrong(error.to_string()))?;
    if model.id == row.id { Ok(model) } else { Err(wrong(format!("is of `{}`", model.id))) }
}
