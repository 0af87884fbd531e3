//! Tells the adapter which version of rmp-serde it is built with, since rmp-serde itself does not say.

fn main() {
    codec::lock::tell_version("rmp-serde", "RMP_SERDE_VERSION");
}
