//! Client tokens: which are good, and which are not, whoever made them.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

mod world;

use domain::{Actor, Scopes};
use ring::signature::Ed25519KeyPair;
use serde_json::{Value, json};
use service::{
    KeyRequest, NotOpened, Opened,
    key::{ClientTokenRequest, MintError},
    seal::SealKey,
};
use sha2::{Digest, Sha256};
use store::{Store, on_both_engines};
use world::World;

const ISSUER: &str = "https://video.test";
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// As RFC 7515 writes bytes.
fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)).collect();
    let digit = |bits: &[u8]| (0..6).fold(0, |digit, at| digit << 1 | usize::from(*bits.get(at).unwrap_or(&0)));
    bits.chunks(6).map(|bits| char::from(DIGITS[digit(bits)])).collect()
}

fn from_base64url(text: &str) -> Vec<u8> {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u8> = text
        .chars()
        .flat_map(|digit| {
            let value = digits.find(digit).unwrap();
            (0..6).rev().map(move |at| (value >> at & 1) as u8)
        })
        .collect();
    bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

fn part(value: &Value) -> String {
    base64url(value.to_string().as_bytes())
}

fn hmac_sha256(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = [0_u8; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().to_vec()
}

/// The key that signs, by its name, its public half and its seed.
async fn signing_key(store: &Store) -> (String, Vec<u8>, Vec<u8>) {
    let key = store.signing_keys().list().await.unwrap().remove(0);
    let sealed_by = from_hex(&store.settings().find("signing_keys_key").await.unwrap().unwrap());
    let seal: SealKey = serde_json::from_value(json!(sealed_by)).unwrap();
    let seed = seal.open(&format!("seed of the signing key {}", key.id), &key.sealed_seed).unwrap();
    (key.id, from_base64url(&key.public_key), seed)
}

fn from_hex(text: &str) -> Vec<u8> {
    text.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

struct Minted {
    world: World,
    /// A key that reads videos and usage.
    opened: Opened,
    token: String,
}

impl Minted {
    async fn new(database: store::testing::TempDatabase) -> Self {
        let world = World::new(database).await;
        let scopes = Some(Scopes::parse("videos:read usage:read").unwrap());
        let request = KeyRequest { name: "shop".into(), scopes, ..KeyRequest::default() };
        let key = world.services.create_key_for(world.ada.actor(), request, "").await.unwrap();
        let opened = world.services.open(&key.secret, ISSUER).await.unwrap();
        let token = mint(&world, opened, Some("videos:read"), 600).await;
        Self { world, opened, token }
    }

    async fn refused(&self, token: &str) -> &'static str {
        match self.world.services.open(token, ISSUER).await {
            Err(NotOpened::Token | NotOpened::Key) => "no",
            Err(NotOpened::TokenExpired) => "expired",
            other => panic!("{other:?}: {token}"),
        }
    }

    /// A token with these claims in place of others, signed as ours are.
    async fn signed(&self, header: Value, change: Value) -> String {
        let (kid, _, seed) = signing_key(&self.world.services.store).await;
        let mut head = json!({"typ": "JWT", "alg": "EdDSA", "kid": kid});
        head.as_object_mut().unwrap().extend(header.as_object().unwrap().clone());
        let mut claims: Value = serde_json::from_slice(&from_base64url(self.token.split('.').nth(1).unwrap())).unwrap();
        for (name, value) in change.as_object().unwrap() {
            if value.is_null() {
                claims.as_object_mut().unwrap().remove(name);
            } else {
                claims[name] = value.clone();
            }
        }
        let message = format!("{}.{}", part(&head), part(&claims));
        let signature = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap().sign(message.as_bytes());
        format!("{message}.{}", base64url(signature.as_ref()))
    }
}

async fn mint(world: &World, opened: Opened, scopes: Option<&str>, ttl_s: u32) -> String {
    let request = ClientTokenRequest { scopes: scopes.map(|text| Scopes::parse(text).unwrap()), end_user: Some("user-42".into()), ttl_s };
    world.services.mint_client_token(opened, request, ISSUER).await.unwrap().token
}

on_both_engines! {
    async fn a_token_opens_what_its_scopes_say_for_as_long_as_it_was_made_for(database: TempDatabase) {
        let minted = Minted::new(database).await;
        let Opened { owner, token_until } = minted.world.services.open(&minted.token, ISSUER).await.unwrap();
        assert_eq!((owner.key, owner.membership, owner.scopes.to_string()), (minted.opened.owner.key, minted.opened.owner.membership, "videos:read".into()));
        assert_eq!(token_until, Some(domain::Clock::now(&minted.world.dial).plus_ms(600_000)));
        let by_token = minted.world.services.open(&minted.token, ISSUER).await.unwrap();
        let more = ClientTokenRequest { scopes: None, end_user: None, ttl_s: 60 };
        assert!(matches!(minted.world.services.mint_client_token(by_token, more.clone(), ISSUER).await, Err(MintError::NotAKey)));
        let too_much = ClientTokenRequest { scopes: Some(Scopes::ALL), ..more };
        assert!(matches!(minted.world.services.mint_client_token(minted.opened, too_much, ISSUER).await, Err(MintError::Scopes(_))));
        minted.world.dial.advance_ms(599_000);
        assert!(minted.world.services.open(&minted.token, ISSUER).await.is_ok());
        minted.world.dial.advance_ms(1000);
        assert_eq!(minted.refused(&minted.token).await, "expired");
    }

    async fn a_token_ends_with_its_key_and_loses_what_its_key_loses(database: TempDatabase) {
        let minted = Minted::new(database).await;
        minted.world.database.damage("UPDATE api_keys SET scopes = 'usage:read'").await;
        let opened = minted.world.services.open(&minted.token, ISSUER).await.unwrap();
        assert!(!opened.owner.scopes.has(domain::Scope::VideosRead) && !opened.owner.scopes.has(domain::Scope::UsageRead));
        minted.world.services.revoke_key(minted.world.ada.actor(), minted.opened.owner.key, "").await.unwrap();
        assert_eq!(minted.refused(&minted.token).await, "no");
    }

    async fn what_was_not_made_here_opens_nothing(database: TempDatabase) {
        let minted = Minted::new(database).await;
        let (kid, public_key, _) = signing_key(&minted.world.services.store).await;
        let parts: Vec<_> = minted.token.split('.').collect();
        let [header, payload, signature] = parts[..] else { panic!("{parts:?}") };
        let claims: Value = serde_json::from_slice(&from_base64url(payload)).unwrap();
        assert!(minted.world.services.open(&minted.signed(json!({}), json!({})).await, ISSUER).await.is_ok(), "the test signs as the server does");
        let none = part(&json!({"typ": "JWT", "alg": "none", "kid": kid}));
        let shared = part(&json!({"typ": "JWT", "alg": "HS256", "kid": kid}));
        let by_public_key = base64url(&hmac_sha256(&public_key, format!("{shared}.{payload}").as_bytes()));
        let mut more = claims.clone();
        more["scope"] = json!("all");
        let stranger = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
        let by_stranger = base64url(stranger.sign(format!("{header}.{payload}").as_bytes()).as_ref());
        for (what, token) in [
            ("no signature", format!("{none}.{payload}.")),
            ("no signature wanted", format!("{none}.{payload}.{signature}")),
            ("signed with the public key as a secret", format!("{shared}.{payload}.{by_public_key}")),
            ("a changed payload", format!("{header}.{}.{signature}", part(&more))),
            ("another's signature", format!("{header}.{payload}.{by_stranger}")),
            ("no signature at all", format!("{header}.{payload}.")),
            ("nothing", "ey..".to_owned()),
            ("very much", format!("{header}.{}.{signature}", "A".repeat(100_000))),
        ] {
            assert_eq!(minted.refused(&token).await, "no", "{what}");
        }
    }

    async fn what_is_signed_and_not_for_us_or_not_now_opens_nothing(database: TempDatabase) {
        let minted = Minted::new(database).await;
        let now = domain::Clock::now(&minted.world.dial).unix_seconds();
        for (header, claims, said) in [
            (json!({"kid": "another"}), json!({}), "no"),
            (json!({"kid": null}), json!({}), "no"),
            (json!({"alg": "EdDSA", "kid": ["x"]}), json!({}), "no"),
            (json!({}), json!({"iss": "https://evil.test"}), "no"),
            (json!({}), json!({"iss": null}), "no"),
            (json!({}), json!({"aud": "another api"}), "no"),
            (json!({}), json!({"aud": null}), "no"),
            (json!({}), json!({"nbf": now + 1}), "no"),
            (json!({}), json!({"nbf": null}), "no"),
            (json!({}), json!({"exp": now}), "expired"),
            (json!({}), json!({"exp": null}), "no"),
            (json!({}), json!({"sub": "key_0190aaaabbbb7ccc8dddeeeeffff0001"}), "no"),
            (json!({}), json!({"sub": minted.world.ada.id.to_string()}), "no"),
            (json!({}), json!({"scope": ""}), "no"),
        ] {
            let token = minted.signed(header.clone(), claims.clone()).await;
            assert_eq!(minted.refused(&token).await, said, "{header} {claims}");
        }
    }

    async fn signing_keys_are_replaced_each_month_without_a_token_that_is_lost(database: TempDatabase) {
        let minted = Minted::new(database).await;
        let kid = |token: &str| serde_json::from_slice::<Value>(&from_base64url(token.split('.').next().unwrap())).unwrap()["kid"].clone();
        let first = kid(&minted.token);
        let keys = async || minted.world.services.public_keys().await.unwrap().keys.len();
        let replace = async || minted.world.services.replace_signing_key(Actor::System).await.unwrap();
        replace().await;
        minted.world.dial.advance_ms(30 * DAY_MS);
        assert_eq!(keys().await, 1, "until then there is no need");
        replace().await;
        let token = mint(&minted.world, minted.opened, None, 3600).await;
        assert_eq!((kid(&token), keys().await), (first.clone(), 2), "the next one is published before it signs");
        minted.world.dial.advance_ms(DAY_MS - 1_800_000);
        let last = mint(&minted.world, minted.opened, None, 3600).await;
        minted.world.dial.advance_ms(1_800_000);
        let token = mint(&minted.world, minted.opened, None, 3600).await;
        assert!(kid(&token) != first && kid(&last) == first);
        assert!(minted.world.services.open(&last, ISSUER).await.is_ok() && minted.world.services.open(&token, ISSUER).await.is_ok());
        minted.world.dial.advance_ms(DAY_MS);
        assert_eq!(keys().await, 1);
        let many = futures::future::join_all((0..8).map(|_| mint(&minted.world, minted.opened, None, 60))).await;
        assert!(many.iter().all(|token| kid(token) == kid(&many[0])));
    }

    async fn signing_keys_that_are_replaced_late_lose_no_token_either(database: TempDatabase) {
        let minted = Minted::new(database).await;
        let kid = async || signing_key(&minted.world.services.store).await.0;
        // No server ran when the key was a month old.
        minted.world.dial.advance_ms(31 * DAY_MS + HOUR_MS + HOUR_MS / 2);
        let before = kid().await;
        let first = mint(&minted.world, minted.opened, None, 3600).await;
        minted.world.services.replace_signing_key(Actor::System).await.unwrap();
        let second = mint(&minted.world, minted.opened, None, 3600).await;
        assert_ne!(kid().await, before);
        minted.world.dial.advance_ms(HOUR_MS - 1000);
        for token in [&first, &second] {
            let header: Value = serde_json::from_slice(&from_base64url(token.split('.').next().unwrap())).unwrap();
            assert_eq!(header["kid"], json!(before), "nobody has heard of the new one yet");
            assert!(minted.world.services.open(token, ISSUER).await.is_ok());
        }
        assert!(minted.world.services.replace_signing_key(Actor::Operator).await.is_err(), "it is the system's work");
    }
}
