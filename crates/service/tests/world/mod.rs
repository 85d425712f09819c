//! An installation with an operator, its mails, and people who come to it.

#![allow(dead_code, reason = "each test program uses a part of it")]

use domain::{Actor, JobRequest, Role, catalog, delivery::DELIVERY_PAUSE_MAX_MS};
use service::{KeptMail, Mailer, Services, Submission, User, mail::MailOptions};
use store::{
    objects::{self, ObjectsConfig},
    testing::{Dial, TempDatabase},
};
use tempfile::TempDir;

pub const PASSWORD: &str = "a lantern on the water";
const HOME: &str = "198.51.100.7";

pub struct World {
    pub services: Services,
    pub dial: Dial,
    /// The operator.
    pub ada: User,
    pub database: TempDatabase,
    pub folder: TempDir,
}

/// The token of the link in a mail.
pub fn token_of(mail: &KeptMail) -> String {
    let (_, behind) = mail.text.split_once("token=").unwrap_or_else(|| panic!("no link: {}", mail.text));
    behind.chars().take_while(char::is_ascii_alphanumeric).collect()
}

impl World {
    pub async fn new(database: TempDatabase) -> Self {
        let (dial, folder) = (Dial::default(), tempfile::tempdir().unwrap());
        let store = database.open_at(&dial).await.unwrap();
        let objects = objects::open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        store.models().offer(catalog::testing::catalog().models()).await.unwrap();
        let services = Services::new(store, objects).with_mailer(Mailer::new(&MailOptions::default(), "https://video.test".into()));
        let ada = services.sign_up("ada@example.com", PASSWORD).await.unwrap();
        Self { services, dial, ada, database, folder }
    }

    /// All that were sent, the newest first.
    pub async fn mails(&self) -> Vec<KeptMail> {
        self.dial.advance_ms(1);
        self.services.deliver_events(Actor::System).await.unwrap();
        self.services.mails(Actor::Operator).await.unwrap().kept
    }

    /// The newest.
    pub async fn mail_to(&self, address: &str) -> KeptMail {
        let mails = self.mails().await;
        mails.into_iter().find(|mail| mail.recipient == address).unwrap_or_else(|| panic!("no mail to {address}"))
    }

    /// `guest` joins the team of `host`.
    pub async fn join(&self, host: &User, guest: &User, role: Role) {
        self.services.invite(host.actor(), guest.email.as_str(), role, HOME).await.unwrap();
        // The mail that verifies the address may be as new.
        let mails = self.mails().await.into_iter();
        let mut invitations = mails.filter(|mail| mail.recipient == guest.email.as_str() && mail.text.contains("/invitation?"));
        let token = token_of(&invitations.next().unwrap());
        self.services.join_team(guest.actor(), &token, HOME).await.unwrap();
    }

    pub async fn make(&self, user: &User, prompt: &str) {
        let request = JobRequest { prompt: prompt.into(), ..JobRequest::default() };
        self.services.submit(user.actor(), Submission { request, force: true, ..Submission::default() }).await.unwrap();
    }

    /// What reconcilers do until nothing is left to do.
    pub async fn settle(&self) {
        for _ in 0..3 {
            self.dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
            self.services.deliver_events(Actor::System).await.unwrap();
            self.services.delete_jobs_of_deleted(Actor::System, 1000).await.unwrap();
            self.services.remove_garbage(Actor::System, 0).await.unwrap();
            self.services.finish_deletions(Actor::System).await.unwrap();
        }
    }

    /// Whether any row says this, as text or as bytes.
    pub async fn holds(&self, text: &str) -> bool {
        self.database.contains(text, &[]).await
    }

    /// The same, but for these tables.
    pub async fn holds_beside(&self, text: &str, tables: &[&str]) -> bool {
        self.database.contains(text, tables).await
    }
}
