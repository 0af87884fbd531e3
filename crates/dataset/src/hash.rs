//! The hash by which a message is known.

use sha2::{Digest, Sha256};

/// SHA-256 as 64 lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text has the form that [`sha256`] gives.
pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// Source: the one-block example of the standard, FIPS 180-4.
#[test]
fn the_hash_of_abc_is_that_of_the_standard() {
    let hash = sha256(b"abc");
    assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert!(is_sha256(&hash));
    assert!(!is_sha256(&hash.to_uppercase()));
    assert!(!is_sha256(&hash[1..]));
}
