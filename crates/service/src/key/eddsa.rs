//! Ed25519 for JSON web tokens, by the cryptography that TLS has here already. No other algorithm can be signed or checked with.

use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result},
    signature::{self, Signer, Verifier},
};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

pub const SEED_BYTES: usize = 32;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| Ok(Box::new(Signing::new(*algorithm, key)?)),
    verifier_factory: |algorithm, key| Ok(Box::new(Verifying::new(*algorithm, key)?)),
    key_utils: KeyUtils::new_unimplemented(),
};

/// Before tokens are signed or checked, in each process.
pub fn install() {
    // A second time changes nothing.
    let _is_first = PROVIDER.install_default();
}

/// The public half of a key; `None`: this is no seed.
pub fn public_key(seed: &[u8]) -> Option<Vec<u8>> {
    Some(Ed25519KeyPair::from_seed_unchecked(seed).ok()?.public_key().as_ref().to_vec())
}

struct Signing(Ed25519KeyPair);

impl Signing {
    fn new(algorithm: Algorithm, key: &EncodingKey) -> Result<Self> {
        require_eddsa(algorithm)?;
        Ok(Self(Ed25519KeyPair::from_seed_unchecked(key.as_bytes()).map_err(|_| ErrorKind::InvalidEddsaKey)?))
    }
}

impl Signer<Vec<u8>> for Signing {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, signature::Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for Signing {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct Verifying(Vec<u8>);

impl Verifying {
    fn new(algorithm: Algorithm, key: &DecodingKey) -> Result<Self> {
        require_eddsa(algorithm)?;
        Ok(Self(key.try_get_as_bytes()?.to_vec()))
    }
}

impl Verifier<Vec<u8>> for Verifying {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), signature::Error> {
        UnparsedPublicKey::new(&ED25519, &self.0).verify(message, signature).map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Verifying {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

fn require_eddsa(algorithm: Algorithm) -> Result<()> {
    if algorithm == Algorithm::EdDSA { Ok(()) } else { Err(ErrorKind::InvalidAlgorithm.into()) }
}
