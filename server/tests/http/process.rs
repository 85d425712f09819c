//! The server as a process of its own, and sockets that speak HTTP by hand, to see what clients cost it.

use crate::harness::{Customer, Product};
use std::{
    net::SocketAddr,
    path::Path,
    process::{Output, Stdio},
    sync::{Arc, Mutex},
    thread::panicking,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpSocket, TcpStream},
    process::{Child, Command},
};

/// What a client that does not read leaves to the server's side.
const CLIENT_BUFFER_BYTES: u32 = 4096;

pub struct Server {
    child: Child,
    pub address: SocketAddr,
    complaints: Arc<Mutex<Vec<String>>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if panicking() {
            eprintln!("the server warned of:\n{}", self.complaints.lock().unwrap().join("\n"));
        }
    }
}

impl Server {
    /// A process on the product's database and objects that may open so many files.
    pub async fn start(product: &Product, files: u32, options: &[&str]) -> Self {
        // The other ends of its connections are files of this process.
        rlimit::increase_nofile_limit(u64::MAX).unwrap();
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -n {files}; exec setpriv --pdeathsig KILL \"$0\" \"$@\""))
            .arg(env!("CARGO_BIN_EXE_reelmill"));
        command.args(["serve", "--port", "0"]).args(options).arg("--data").arg(product.folder());
        command.arg("--models").arg(Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../crates/diffusion/weights"));
        command.env("DATABASE_URL", &product.database().url).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next_line().await.unwrap().expect("the server should start");
            if let Some((_, address)) = line.split_once("listening on http://") {
                break address.split_whitespace().next().unwrap().parse().unwrap();
            }
        };
        let complaints = Arc::<Mutex<Vec<String>>>::default();
        let heard = complaints.clone();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                if line.contains("WARN") || line.contains("ERROR") {
                    heard.lock().unwrap().push(line);
                }
            }
        });
        Self { child, address, complaints }
    }

    /// Memory that the process really has, in KiB.
    pub fn memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

/// What a command says and how it ends that is given on the product's database and objects.
pub async fn reelmill(product: &Product, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reelmill"));
    command.args(words).arg("--data").arg(product.folder()).env("DATABASE_URL", &product.database().url).kill_on_drop(true);
    command.output().await.unwrap()
}

/// Connects, with next to no room for what is not read.
pub async fn connect(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(CLIENT_BUFFER_BYTES).unwrap();
    socket.connect(address).await.unwrap()
}

/// Connects as another visitor than [`connect`] does.
pub async fn connect_as_another(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    socket.connect(address).await.unwrap()
}

/// The head of a request for `path`; what else belongs into it stands in `more`.
pub fn head(path: &str, who: &Customer, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {}\r\n{more}\r\n", who.key)
}

/// Sends a request and does not read the answer.
pub async fn ask(address: SocketAddr, head: &str) -> TcpStream {
    let mut stream = connect(address).await;
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// All that comes until the server closes the connection.
pub async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is closed in the middle has said what it had to say.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One request on a connection of its own.
pub async fn get(address: SocketAddr, path: &str, who: &Customer) -> String {
    read(&mut ask(address, &head(path, who, "connection: close\r\n")).await).await
}
