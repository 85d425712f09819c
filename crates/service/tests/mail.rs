//! Mails as a mail server gets them, by the protocol.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use domain::{Actor, delivery::DELIVERY_PAUSE_MAX_MS};
use service::{Mailer, mail::MailOptions};
use store::on_both_engines;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};
use world::World;

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
}
