//! What others change while somebody comes by a link.

use crate::{World, account};
use domain::{
    InvitationId, Role,
    account::token::{Purpose, SpentToken},
};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, TransactionTrait};
use std::time::Duration;
use store::{Asked, JoinError, NewToken, Through, on_both_engines, testing::Engine};
use tokio::time::sleep;
use uuid::Uuid;

const LINK: [u8; 32] = [7; 32];
const EVE: &str = "eve@example.com";

impl World {
    async fn connect(&self) -> DatabaseConnection {
        Database::connect(self.database.url_of_all()).await.unwrap()
    }

    /// Until somebody waits for a lock; on SQLite nobody sees that.
    async fn until_somebody_waits(&self) {
        if self.database.engine == Engine::Sqlite {
            sleep(Duration::from_millis(200)).await;
            return;
        }
        let waiting = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while self.texts(waiting).await.is_empty() {}
    }
}

on_both_engines! {
    async fn an_invitation_that_is_taken_back_while_somebody_comes_by_it_opens_nothing(database: TempDatabase) {
        let world = World::new(database).await;
        let (_, eve) = account(&world.store, EVE).await;
        let (invitation, asked) = (InvitationId::from_uuid(Uuid::now_v7()), Asked { user: world.user, address: "" });
        world.store.tenant(world.tenant).members().invite(asked, invitation, EVE.parse().unwrap(), Role::Admin, 9).await.unwrap();
        let token = NewToken { sha256: LINK, purpose: Purpose::Invitation, email: EVE.parse().unwrap(), user: None, invitation: Some(invitation) };
        assert!(world.store.accounts().keep_token(&token).await.unwrap());
        let db = world.connect().await;
        let taking_back = db.begin().await.unwrap();
        if world.database.engine == Engine::Postgres {
            taking_back.execute_unprepared("SELECT id FROM tenants FOR NO KEY UPDATE").await.unwrap();
        }
        assert_eq!(taking_back.execute_unprepared("DELETE FROM invitations").await.unwrap().rows_affected(), 1);
        let store = world.store.clone();
        let joining = tokio::spawn(async move { store.accounts().join(LINK, Through::Account(eve), "").await });
        world.until_somebody_waits().await;
        taking_back.commit().await.unwrap();
        let joined = joining.await.unwrap();
        assert!(matches!(joined, Err(JoinError::Spent(SpentToken::Used))), "{joined:?}");
        assert_eq!(world.store.accounts().tenants(eve).await.unwrap().len(), 1);
        db.close().await.unwrap();
    }

    async fn a_password_is_set_by_mail_also_where_others_wait_for_it_in_a_circle(database: TempDatabase) {
        let world = World::new(database).await;
        if world.database.engine == Engine::Sqlite {
            // It has one writer.
            return;
        }
        let (_, eve) = account(&world.store, EVE).await;
        world.sql("UPDATE users SET email_verified_at_ms = NULL WHERE email = 'eve@example.com'").await;
        let token = NewToken { sha256: LINK, purpose: Purpose::ResetPassword, email: EVE.parse().unwrap(), user: Some(eve), invitation: None };
        assert!(world.store.accounts().keep_token(&token).await.unwrap());
        let db = world.connect().await;
        let other = db.begin().await.unwrap();
        other.execute_unprepared("SELECT id FROM tenants FOR NO KEY UPDATE").await.unwrap();
        let store = world.store.clone();
        let setting = tokio::spawn(async move { store.accounts().reset_password(LINK, "another hash", "").await });
        world.until_somebody_waits().await;
        // Now each waits for the other, and the database ends one of them.
        let _ended = other.execute_unprepared("SELECT id FROM users FOR NO KEY UPDATE").await;
        other.rollback().await.unwrap();
        assert_eq!(setting.await.unwrap().unwrap().unwrap().as_str(), EVE);
        db.close().await.unwrap();
    }
}
