//! What is stored, as a statement of a test finds it, and whether anything at all says a word.

use super::{Engine, TempDatabase};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

impl TempDatabase {
    /// The first column of what a statement selects, which is to be a text.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn texts(&self, select: &str) -> Vec<String> {
        let db = Database::connect(self.url_of_all()).await.expect("the database is there");
        let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), select.to_owned())).await.expect("a sound statement");
        db.close().await.expect("the connection is closed");
        rows.iter().map(|row| row.try_get_by_index(0).expect("a text")).collect()
    }

    /// Whether a row says this, as text, as an id or as bytes; `except` are tables that may.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn contains(&self, text: &str, except: &[&str]) -> bool {
        let db = Database::connect(self.url_of_all()).await.expect("the database is there");
        let tables = match self.engine {
            Engine::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            Engine::Postgres => "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'",
        };
        let mut found = false;
        for table in names(&db, tables).await.into_iter().filter(|table| !except.contains(&&**table)) {
            let says = match self.engine {
                Engine::Sqlite => {
                    let columns = names(&db, &format!("SELECT name FROM pragma_table_info('{table}')")).await;
                    let says = columns.iter().map(|column| {
                        format!("instr(replace(CAST(\"{column}\" AS TEXT), '-', ''), '{text}') > 0 OR instr(lower(hex(\"{column}\")), '{text}') > 0")
                    });
                    says.collect::<Vec<_>>().join(" OR ")
                }
                Engine::Postgres => format!("strpos(replace(CAST({table} AS TEXT), '-', ''), '{text}') > 0"),
            };
            let rows = names(&db, &format!("SELECT '{table}' AS name FROM {table} WHERE {says} LIMIT 1")).await;
            if !rows.is_empty() {
                eprintln!("{table} says {text}");
                found = true;
            }
        }
        db.close().await.expect("the connection is closed");
        found
    }
}

async fn names(db: &DatabaseConnection, sql: &str) -> Vec<String> {
    let backend: DbBackend = db.get_database_backend();
    let rows = db.query_all_raw(Statement::from_string(backend, sql.to_owned())).await.expect("the statement is sound");
    rows.into_iter().map(|row| row.try_get("", "name").expect("a name")).collect()
}
