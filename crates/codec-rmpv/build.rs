//! Tells the adapter which version of rmpv it is built with, since rmpv itself does not say.

fn main() {
    codec::lock::tell_version("rmpv", "RMPV_VERSION");
}
