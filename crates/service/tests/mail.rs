//! Mails as a mail server gets them, by the protocol.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use domain::{
    Actor, Role, VideoTime,
    billing::{Spender, SpendingLimits},
    delivery::DELIVERY_PAUSE_MAX_MS,
};
use service::{Mailer, mail::MailOptions};
use store::on_both_engines;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};
use world::{PASSWORD, World};

/// As much of RFC 5321 as a client needs: one mail after the other, each told whole.
async fn mail_server() -> (u16, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, (taken, mails)) = (listener.local_addr().unwrap().port(), unbounded_channel());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, taken.clone()));
        }
    });
    (port, mails)
}

async fn converse(stream: TcpStream, taken: UnboundedSender<String>) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 mail.test ESMTP\r\n").await.unwrap();
    let (mut envelope, mut mail) = (String::new(), None::<String>);
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(text) = &mut mail {
            if line == "." {
                taken.send(mail.take().unwrap()).unwrap();
                writer.write_all(b"250 taken\r\n").await.unwrap();
            } else {
                text.push_str(&line);
                text.push('\n');
            }
            continue;
        }
        let answer: &[u8] = match line.split([' ', ':']).next().unwrap() {
            "DATA" => {
                mail = Some(std::mem::take(&mut envelope));
                b"354 go on\r\n"
            }
            "QUIT" => return,
            _ => {
                envelope.push_str(&line);
                envelope.push('\n');
                b"250 mail.test\r\n"
            }
        };
        writer.write_all(answer).await.unwrap();
    }
}

fn options(port: u16) -> MailOptions {
    MailOptions {
        smtp_url: Some(format!("smtp://127.0.0.1:{port}").parse().unwrap()),
        smtp_from: Some("Reelmill <video@example.com>".parse().unwrap()),
    }
}

on_both_engines! {
    async fn a_mail_server_gets_text_and_html_and_nothing_is_kept(database: TempDatabase) {
        let world = World::new(database).await;
        let (port, mut mails) = mail_server().await;
        let services = world.services.clone().with_mailer(Mailer::new(&options(port), "https://video.test".into()));
        services.forgot_password("ada@example.com", "198.51.100.7").await.unwrap();
        services.deliver_events(Actor::System).await.unwrap();
        let mail = mails.recv().await.unwrap();
        for expected in [
            "MAIL FROM:<video@example.com>",
            "RCPT TO:<ada@example.com>",
            "From: Reelmill <video@example.com>",
            "Subject: Set a new password",
            "multipart/alternative",
            "Content-Type: text/plain",
            "Content-Type: text/html",
        ] {
            assert!(mail.contains(expected), "{expected}: {mail}");
        }
        // Long lines are broken with a mark.
        assert!(mail.replace("=\n", "").contains("https://video.test/reset-password?token"), "{mail}");
        assert!(world.services.mails(Actor::Operator).await.unwrap().kept.is_empty());
    }

    async fn an_address_that_is_not_confirmed_hears_of_no_alert_and_no_team_where_mails_are_sent(database: TempDatabase) {
        const HOME: &str = "198.51.100.7";
        let world = World::new(database).await;
        let (port, mut mails) = mail_server().await;
        let services = world.services.clone().with_mailer(Mailer::new(&options(port), "https://video.test".into()));
        let eve = services.sign_up_from(HOME, "eve@example.com", PASSWORD).await.unwrap();
        let mut subjects = async || {
            world.dial.advance_ms(1);
            services.deliver_events(Actor::System).await.unwrap();
            let mut subjects = Vec::new();
            while let Ok(mail) = mails.try_recv() {
                subjects.push(mail.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap().to_owned());
            }
            subjects
        };
        assert_eq!(subjects().await, ["Confirm your email address"]);
        services.rename_team(eve.actor(), "Buy lanterns", HOME).await.unwrap();
        let alert_at = async |ms: u64| {
            let limits = SpendingLimits { hard: None, soft: Some(VideoTime::from_ms(ms)) };
            services.set_spending_limits(eve.actor(), Spender::Tenant, limits, HOME).await.unwrap();
            world.make(&eve, "sea").await;
        };
        alert_at(1).await;
        assert!(subjects().await.is_empty());
        world.database.damage("UPDATE users SET email_verified_at_ms = 1").await;
        alert_at(4000).await;
        assert_eq!(subjects().await, ["Buy lanterns has used or set aside 4 video-seconds this month"]);

        world.join(&world.ada, &eve, Role::Member).await;
        world.database.damage("UPDATE users SET email_verified_at_ms = NULL WHERE email = 'eve@example.com'").await;
        services.remove_member(world.ada.actor(), eve.id, HOME).await.unwrap();
        assert!(subjects().await.is_empty());
    }

    async fn where_no_mails_are_sent_the_operator_reads_the_alerts_of_all(database: TempDatabase) {
        let world = World::new(database).await;
        let eve = world.services.sign_up_from("198.51.100.7", "eve@example.com", PASSWORD).await.unwrap();
        let limits = SpendingLimits { hard: None, soft: Some(VideoTime::from_ms(1)) };
        world.services.set_spending_limits(eve.actor(), Spender::Tenant, limits, "").await.unwrap();
        world.make(&eve, "sea").await;
        assert!(world.mails().await.iter().any(|mail| mail.recipient == "eve@example.com" && mail.subject.contains("2 video-seconds")));
    }

    async fn a_mail_that_is_not_taken_is_shown_and_sent_once_the_server_is_back(database: TempDatabase) {
        let world = World::new(database).await;
        let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        let services = world.services.clone().with_mailer(Mailer::new(&options(nobody), "https://video.test".into()));
        services.forgot_password("ada@example.com", "198.51.100.7").await.unwrap();
        services.deliver_events(Actor::System).await.unwrap();
        let waiting = services.mails(Actor::Operator).await.unwrap().undelivered;
        assert_eq!((waiting.len(), waiting[0].attempts, waiting[0].is_given_up), (1, 1, false));
        let (port, mut mails) = mail_server().await;
        let services = world.services.clone().with_mailer(Mailer::new(&options(port), "https://video.test".into()));
        world.dial.advance_ms(DELIVERY_PAUSE_MAX_MS);
        services.deliver_events(Actor::System).await.unwrap();
        assert!(mails.recv().await.unwrap().contains("Set a new password"));
        assert!(services.mails(Actor::Operator).await.unwrap().undelivered.is_empty());
    }

    async fn operators_who_are_told_of_alerts_no_more_get_none_that_waits(database: TempDatabase) {
        let world = World::new(database).await;
        let services = &world.services;
        let operators = services.add_alert_address(Actor::Operator, None, "operators", "").await.unwrap().id;
        let told = async || world.mails().await.iter().filter(|mail| mail.subject.contains("whether alerts arrive")).count();
        services.test_alert_address(Actor::Operator, operators).await.unwrap();
        assert_eq!(told().await, 1);
        services.test_alert_address(Actor::Operator, operators).await.unwrap();
        services.delete_alert_address(Actor::Operator, None, operators).await.unwrap();
        // Somebody else is told all the same.
        services.add_alert_address(Actor::Operator, None, "mail", "duty@example.com").await.unwrap();
        assert_eq!(told().await, 1);
    }
}
