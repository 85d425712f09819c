//! The demo: what it makes is true, and every page has something to show.

use crate::harness::{Customer, Product};
use domain::{Act, Actor, Email};
use server::demo::{DemoOptions, PASSWORD, make};
use service::config::{ModelsFolder, Storage};
use std::path::Path;
use store::testing::TempDatabase;

fn options(days: u16) -> DemoOptions {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
    DemoOptions { clips: root.join("public/gallery"), models: ModelsFolder { models: root.join("crates/diffusion/weights") }, days }
}

/// On a thread with the stack of a program's first one.
#[test]
fn a_demo_is_made_once_is_true_and_has_something_for_every_page() {
    const STACK: usize = 8 << 20;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let told = std::thread::Builder::new().stack_size(STACK).spawn(move || runtime.block_on(a_demo()));
    told.unwrap().join().unwrap();
}

async fn a_demo() {
    let (database, folder) = (TempDatabase::sqlite(), tempfile::tempdir().unwrap());
    let storage = Storage::in_folder(folder.path().to_owned(), Some(database.url.clone()));
    let addresses = make(&storage, &options(4)).await.unwrap();
    assert_eq!((addresses.len(), addresses[0].as_str()), (9, "operator@reelmill.example"));
    let refused = make(&storage, &options(4)).await.unwrap_err();
    assert!(refused.to_string().contains("this database has accounts"), "{refused}");
    let services = storage.open().await.unwrap();
    let product = Product::new(database).await.changed(|_| services);
    let services = product.services();
    let ledger = services.verify_ledger(Actor::Operator).await.unwrap();
    assert!(ledger.faults.is_empty() && ledger.entries > 60, "{ledger:?}");
    let mut cookies = Vec::new();
    for address in &addresses {
        let user = services.user_by_email(Actor::Operator, &address.parse::<Email>().unwrap()).await.unwrap().unwrap();
        assert!(user.is_verified, "{address}");
        cookies.push(product.cookie(&Customer { user, key: String::new() }).await);
    }
    let [operator, nora, teo, jo] = [0, 1, 2, 3].map(|n| &*cookies[n]);
    for (cookie, path, shown) in [
        (nora, "/usage", "Trailers"),
        (nora, "/overview?range=30d", "Success rate"),
        (nora, "/requests?status=succeeded", "made"),
        (nora, "/team", "ines@northlight.example"),
        (nora, "/keys", "social clips"),
        (nora, "/limits", "Project: Social clips"),
        (nora, "/billing", "DEMO-ENTERPRISE-0001"),
        // Ten minutes of credit, at what her plan sells it for.
        (nora, "/plan", "worth $4.00"),
        (teo, "/plan", "the dog has five legs"),
        (jo, "/plan", "promo code WELCOME"),
        (operator, "/admin", "vignette"),
        (operator, "/admin/tenants", "jo@workshop.example"),
        (operator, "/admin/tenants", "Marble Studio"),
        (operator, "/admin/ledger", "Marble Studio"),
        (operator, "/admin/costs", "demo GPU"),
        (operator, "/admin/costs?days=30", "A video-minute"),
        (operator, "/admin/latency?range=30d&by=tenant_id", "Marble Studio"),
        (operator, "/admin/requests", "Marble Studio"),
        (operator, "/admin/promo", "1 of 100"),
        (operator, "/admin/payments", "enterprise"),
        (operator, "/admin/mail", "nora@northlight.example"),
    ] {
        let page = product.page(cookie, path).await;
        assert!(page.contains(shown), "{path} lacks {shown}: {page}");
    }
    let library = product.page(nora, "/library").await;
    assert!(app::GALLERY.iter().any(|(_, prompt)| library.contains(prompt)), "{library}");
    let paid = product.page(nora, "/billing").await;
    assert!(!paid.contains("DEMO-ENTERPRISE-0002"), "its second month has not begun: {paid}");
    let acts = services
        .own_acts(services.user_by_email(Actor::Operator, &addresses[0].parse().unwrap()).await.unwrap().unwrap().actor())
        .await
        .unwrap();
    assert!(acts.iter().any(|entry| entry.act == Act::Refunded));
    assert!(services.sign_in(service::SignIn { email: &addresses[1], password: PASSWORD, address: "", known_browser: None }).await.is_ok());
}
