//! What clients cost a server that do not read, or send without an end: measured on a process of its own.

use crate::{
    harness::{Customer, Product},
    process::{Server, ask, connect_as_another, get, head, read},
};
use futures::future::join_all;
use serde_json::json;
use std::{net::SocketAddr, time::Duration};
use store::testing::TempDatabase;
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

const ALLOWED_KIB: u64 = 64 * 1024;
const LARGEST_TEXT_BYTES: usize = 64 * 1024;
const VIDEO_BYTES: usize = 2 * 1024 * 1024;
const JOBS: usize = 20;
/// Memory is looked at until it has not grown for so long.
const CALM: Duration = Duration::from_secs(1);

async fn with_the_largest_videos(names: &[&str]) -> (Product, Vec<Customer>) {
    with_videos_of(&"🎞".repeat(LARGEST_TEXT_BYTES / "🎞".len()), names).await
}

async fn with_videos_of(text: &str, names: &[&str]) -> (Product, Vec<Customer>) {
    let product = Product::new(TempDatabase::sqlite()).await;
    let mut customers = Vec::new();
    for name in names {
        let customer = product.customer(name).await;
        product.create(&customer, "a red ball").await;
        product.finish_with(|_| vec![7_u8; VIDEO_BYTES].into()).await;
        for _ in 0..JOBS {
            let answer = product.post(&customer, "/v1/videos", json!({ "prompt": text, "negative_prompt": text })).await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        customers.push(customer);
    }
    (product, customers)
}

/// The most that the process takes while `sockets` are open and nothing is read.
async fn peak_kib(server: &Server, sockets: &[TcpStream]) -> u64 {
    for socket in sockets {
        socket.readable().await.unwrap();
    }
    calm_kib(server).await
}

/// The most that the process takes until it takes no more.
async fn calm_kib(server: &Server) -> u64 {
    let (mut peak, mut grew) = (server.memory_kib(), Instant::now());
    while grew.elapsed() < CALM {
        sleep(Duration::from_millis(50)).await;
        let now = server.memory_kib();
        if now > peak {
            (peak, grew) = (now, Instant::now());
        }
    }
    peak
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_clients_that_never_read_the_largest_list_cost_little() {
    let (product, customers) = with_the_largest_videos(&["ada"]).await;
    let server = Server::start(&product, 1024, &[]).await;
    let path = "/v1/videos?limit=100";
    let whole = get(server.address, path, &customers[0]).await;
    assert!(whole.contains("\"has_more\":true") && whole.len() < 1_100_000, "{} bytes", whole.len());
    let idle_kib = server.memory_kib();
    let mut sockets = Vec::new();
    for _ in 0..60 {
        sockets.push(ask(server.address, &head(path, &customers[0], "")).await);
    }
    let peak_kib = peak_kib(&server, &sockets).await;
    eprintln!("60 unread lists: {idle_kib} KiB idle, {peak_kib} KiB with them");
    assert!(peak_kib <= idle_kib + ALLOWED_KIB, "{idle_kib} KiB grew to {peak_kib} KiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_clients_that_never_read_cost_little_and_others_are_served() {
    let (product, customers) = with_the_largest_videos(&["ada", "bob", "cyd", "dan", "eve"]).await;
    let server = Server::start(&product, 8192, &[]).await;
    let mut paths = Vec::new();
    for customer in &customers {
        let id = async |order: &str| {
            let list = product.get(customer, &format!("/v1/videos?limit=1&order={order}")).await.json();
            list["data"][0]["id"].as_str().unwrap().to_owned()
        };
        let (waiting, done) = (id("desc").await, id("asc").await);
        let of_customer = ["/v1/videos?limit=100".into(), format!("/v1/videos/{done}/content"), format!("/v1/videos/{waiting}")];
        for path in &of_customer {
            get(server.address, path, customer).await;
        }
        paths.push([&of_customer[..], &[format!("/v1/videos/{waiting}/events")]].concat());
    }
    let idle_kib = server.memory_kib();
    let (mut sockets, mut half_open) = (Vec::new(), Vec::new());
    for number in 0..400 {
        let of = number % customers.len();
        let path = &paths[of][number / customers.len() % 4];
        sockets.push(ask(server.address, &head(path, &customers[of], "")).await);
    }
    for _ in 0..100 {
        half_open.push(ask(server.address, "POST /v1/videos HTTP/1.1\r\nhost: te").await);
    }
    let peak_kib = peak_kib(&server, &sockets).await;
    eprintln!("500 unread sockets: {idle_kib} KiB idle, {peak_kib} KiB with them");
    assert!(peak_kib <= idle_kib + ALLOWED_KIB, "{idle_kib} KiB grew to {peak_kib} KiB");
    let mut other = connect_as_another(server.address).await;
    other.write_all(head("/v1/videos", &product.customer("zoe").await, "connection: close\r\n").as_bytes()).await.unwrap();
    assert!(read(&mut other).await.starts_with("HTTP/1.1 200"));
}

/// In an answer each of these characters takes up to eight bytes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_unread_pages_and_videos_cost_little_and_others_are_served() {
    for character in ["\"", "\u{1}"] {
        let (product, customers) = with_videos_of(&character.repeat(32_000), &["ada", "bob", "cyd", "dan"]).await;
        let server = Server::start(&product, 8192, &[]).await;
        let mut heads = Vec::new();
        for customer in &customers {
            let list = product.get(customer, "/v1/videos?limit=1").await.json();
            let id = list["data"][0]["id"].as_str().unwrap().to_owned();
            let cookie = product.cookie(customer).await;
            for path in [format!("/v1/videos/{id}"), "/v1/videos?limit=1".into(), "/v1/videos?limit=100".into()] {
                heads.push(head(&path, customer, ""));
            }
            for path in [format!("/videos/{id}"), format!("/create?from={id}")] {
                for method in ["GET", "HEAD"] {
                    heads.push(format!("{method} {path} HTTP/1.1\r\nhost: test\r\ncookie: {cookie}\r\n\r\n"));
                }
            }
        }
        let idle_kib = server.memory_kib();
        let mut sockets = Vec::new();
        for number in 0..500 {
            sockets.push(ask(server.address, &heads[number % heads.len()]).await);
        }
        let peak_kib = peak_kib(&server, &sockets).await;
        eprintln!("500 unread pages and videos of {character:?}: {idle_kib} KiB idle, {peak_kib} KiB with them");
        assert!(peak_kib <= idle_kib + ALLOWED_KIB, "{character:?}: {idle_kib} KiB grew to {peak_kib} KiB");
        let mut other = connect_as_another(server.address).await;
        other.write_all(head("/v1/videos", &customers[0], "connection: close\r\n").as_bytes()).await.unwrap();
        assert!(read(&mut other).await.starts_with("HTTP/1.1 200"));
    }
}

/// Each repeats a text that it did not bring. Remixes are all let in before one of their answers is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_whose_answers_nobody_reads_cost_little_and_others_are_heard() {
    let names: Vec<_> = (0..10).map(|number| format!("customer-{number}")).collect();
    let (product, customers) = with_videos_of(&"\u{1}".repeat(32_000), &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut newest = Vec::new();
    for customer in &customers {
        newest.push(product.get(customer, "/v1/videos?limit=1").await.json()["data"][0]["id"].as_str().unwrap().to_owned());
    }
    for (action, body) in [("cancel", String::new()), ("remix", json!({ "prompt": "a red ball" }).to_string())] {
        let server = Server::start(&product, 8192, &[]).await;
        let mut heads = Vec::new();
        for (customer, id) in customers.iter().zip(&newest) {
            let more = format!("idempotency-key: same\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
            heads.push(head(&format!("/v1/videos/{id}/{action}"), customer, &more).replacen("GET", "POST", 1));
        }
        let read_at_once = |number: usize| {
            let whole = format!("{}{body}", heads[number % heads.len()].replacen("\r\n", "\r\nconnection: close\r\n", 1));
            async move { read(&mut ask(server.address, &whole).await).await }
        };
        // For so many of the largest there is room at once: none of them waits for another to be read.
        for answer in join_all((0..16).map(read_at_once)).await {
            assert!(answer.starts_with("HTTP/1.1 200") && answer.len() > 192_000, "{}", &answer[..answer.len().min(1000)]);
        }
        let idle_kib = server.memory_kib();
        let mut sockets = Vec::new();
        for number in 0..600 {
            sockets.push(ask(server.address, &heads[number % heads.len()]).await);
        }
        sleep(Duration::from_millis(500)).await;
        for socket in &mut sockets {
            // One that was refused is closed.
            let _ = socket.write_all(body.as_bytes()).await;
        }
        let peak_kib = peak_kib(&server, &sockets).await;
        eprintln!("600 unread answers to {action}: {idle_kib} KiB idle, {peak_kib} KiB with them");
        assert!(peak_kib <= idle_kib + ALLOWED_KIB, "{action}: {idle_kib} KiB grew to {peak_kib} KiB");
        let heard = slowly_asked(server.address, &customers[0]).await;
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_connections_than_open_files_harm_no_connection_that_is_there() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    let id = product.create(&ada, "a red ball").await;
    product.finish().await;
    let server = Server::start(&product, 450, &[]).await;
    let mut early = ask(server.address, "GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").await;
    early.readable().await.unwrap();
    let mut flood = Vec::new();
    for _ in 0..500 {
        flood.push(ask(server.address, "GET /healthz HTTP/1.1\r\n").await);
    }
    early.write_all(head(&format!("/v1/videos/{id}/content"), &ada, "connection: close\r\n").as_bytes()).await.unwrap();
    let answers = read(&mut early).await;
    assert!(answers.contains("the bytes of the video"), "{answers}");
    drop(flood);
    let patience = Instant::now() + Duration::from_secs(60);
    while !get(server.address, "/v1/models", &ada).await.starts_with("HTTP/1.1 200") {
        assert!(Instant::now() < patience, "the server should serve again");
        sleep(Duration::from_millis(50)).await;
    }
}

static BODY: [u8; 1024 * 1024] = [b'a'; 1024 * 1024];

/// The head of a form of 1 MiB.
async fn form(address: SocketAddr, path: &str, who: &Customer) -> TcpStream {
    let more = format!("content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n", BODY.len());
    ask(address, &head(path, who, &more).replacen("GET", "POST", 1)).await
}

/// Asks for a video as another visitor and takes a second to say which.
async fn slowly_asked(address: SocketAddr, who: &Customer) -> String {
    let (prompt, mut socket) = ("prompt=a+red+ball", connect_as_another(address).await);
    let more = format!("connection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n", prompt.len());
    socket.write_all(head("/v1/videos", who, &more).replacen("GET", "POST", 1).as_bytes()).await.unwrap();
    for piece in prompt.as_bytes().chunks(5) {
        sleep(Duration::from_millis(250)).await;
        socket.write_all(piece).await.unwrap();
    }
    read(&mut socket).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_bodies_that_never_end_cost_little_and_others_are_heard() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let (ada, zoe) = (product.customer("ada").await, product.customer("zoe").await);
    for path in ["/api/sign-in", "/api/submit-video", "/v1/videos"] {
        let server = Server::start(&product, 8192, &[]).await;
        assert!(slowly_asked(server.address, &zoe).await.starts_with("HTTP/1.1 200"));
        let idle_kib = server.memory_kib();
        let sockets = join_all((0..500).map(|_| async {
            let mut socket = form(server.address, path, &ada).await;
            let _ = timeout(Duration::from_secs(20), socket.write_all(&BODY[1..])).await;
            socket
        }));
        let (sockets, peak_kib) = tokio::join!(sockets, calm_kib(&server));
        let peak_kib = peak_kib.max(calm_kib(&server).await);
        eprintln!("500 bodies for {path}: {idle_kib} KiB idle, {peak_kib} KiB with them");
        assert!(peak_kib <= idle_kib + ALLOWED_KIB, "{path}: {idle_kib} KiB grew to {peak_kib} KiB");
        let heard = slowly_asked(server.address, &zoe).await;
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        drop(sockets);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_come_byte_by_byte_cost_their_bytes() {
    let product = Product::new(TempDatabase::sqlite()).await;
    let ada = product.customer("ada").await;
    let server = Server::start(&product, 8192, &[]).await;
    let mut sockets = join_all((0..200).map(|_| form(server.address, "/api/submit-video", &ada))).await;
    let idle_kib = calm_kib(&server).await;
    for _ in 0..200 {
        for socket in &mut sockets {
            let _ = socket.write_all(b"a").await;
        }
        sleep(Duration::from_millis(10)).await;
    }
    let peak_kib = calm_kib(&server).await;
    eprintln!("200 bodies, byte by byte: {idle_kib} KiB idle, {peak_kib} KiB with them");
    assert!(peak_kib <= idle_kib + ALLOWED_KIB / 4, "{idle_kib} KiB grew to {peak_kib} KiB");
}
