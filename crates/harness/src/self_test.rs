//! What a program tests about its own codec under `cargo test`, and a runner that prints as the usual one does.

use std::{panic::catch_unwind, process::ExitCode, time::Instant};

use codec::Codec;

use crate::{
    answers::words,
    borrow_probe::borrows_input,
    check,
    messages::{self, Message, Needs},
    probes::{self, as_claimed},
};

/// A named test.
pub struct SelfTest {
    name: &'static str,
    run: fn() -> Result<(), String>,
}

/// Tests of a codec of MessagePack.
pub fn msgpack<C: Codec>() -> Vec<SelfTest> {
    let test = |name, run| SelfTest { name, run };
    let mut tests = vec![
        test("messages_written_by_hand_hold_what_they_should_and_keep_it", messages_keep::<C>),
        test("a_message_with_a_byte_too_many_is_rejected", no_byte_too_many::<C>),
        test("a_message_that_was_cut_is_rejected", no_cut::<C>),
        test("binaries_survive_if_claimed", || {
            let what = "binaries survive";
            as_claimed(what, C::CAPABILITIES.binary, probes::survive::<C>(Needs::Binary))
        }),
        test("extensions_survive_if_claimed", || {
            let what = "extensions survive";
            as_claimed(what, C::CAPABILITIES.ext, probes::survive::<C>(Needs::Ext))
        }),
        test("keys_that_are_no_strings_survive_if_claimed", || {
            let found = probes::survive::<C>(Needs::NonStringKeys);
            as_claimed("all keys survive", C::CAPABILITIES.non_string_keys, found)
        }),
        test("a_string_that_is_not_utf8_is_rejected_if_claimed", || {
            let found = probes::is_rejected::<C>(b"\xa2\xff\xfe");
            as_claimed("UTF-8 is checked", C::CAPABILITIES.checks_utf8, found)
        }),
        test("keys_stay_in_order_if_claimed", || {
            let found = probes::keeps_key_order::<C>()?;
            as_claimed("keys stay in order", C::CAPABILITIES.keeps_key_order, found)
        }),
        test("floats_are_narrowed_if_claimed", || {
            let found = probes::narrows_floats::<C>()?;
            as_claimed("floats are narrowed", C::CAPABILITIES.narrows_floats, found)
        }),
        test("nesting_is_accepted_as_deep_as_claimed_and_no_deeper", probes::depth::<C>),
        test("the_version_is_known", version_is_known::<C>),
    ];
    // Where the input cannot be changed behind a document's back, the claim stays a claim.
    if cfg!(target_os = "linux") {
        tests.push(test("the_document_borrows_from_the_input_if_claimed", || {
            let what = "the document borrows from the input";
            as_claimed(what, C::CAPABILITIES.borrows_input, borrows_input::<C>()?)
        }));
    }
    tests
}

/// Tests of a codec that does nothing.
pub fn control<C: Codec>() -> Vec<SelfTest> {
    vec![
        SelfTest { name: "nothing_is_found_and_nothing_is_written", run: finds_nothing::<C> },
        SelfTest { name: "the_version_is_known", run: version_is_known::<C> },
    ]
}

fn finds_nothing<C: Codec>() -> Result<(), String> {
    let mut codec = C::default();
    let document = codec.parse(b"\x01").map_err(|why| why.0)?;
    check::same(&protocol::job::Content::default(), &check::content::<C>(&document))?;
    let output = codec.serialize(&document).map_err(|why| why.0)?;
    let bytes = C::bytes(&output);
    if bytes.is_empty() { Ok(()) } else { Err(format!("{bytes:02x?} is written")) }
}

fn version_is_known<C: Codec>() -> Result<(), String> {
    let version = C::version();
    let known = version.starts_with(|first: char| first.is_ascii_digit());
    if known { Ok(()) } else { Err(format!("`{version}` is no version")) }
}

/// The messages that say something about this codec, and one array with all of them.
fn messages_for<C: Codec>() -> Vec<Message> {
    let mut messages = messages::msgpack();
    messages.retain(|message| match message.needs {
        Needs::Nothing => true,
        Needs::Binary => C::CAPABILITIES.binary,
        Needs::Ext => C::CAPABILITIES.ext,
        Needs::NonStringKeys => C::CAPABILITIES.non_string_keys,
    });
    messages.push(messages::together(messages.iter()));
    messages
}

fn messages_keep<C: Codec>() -> Result<(), String> {
    let wrong = messages_for::<C>().iter().filter_map(|m| probes::survives::<C>(m).err()).collect();
    none(wrong)
}

fn no_byte_too_many<C: Codec>() -> Result<(), String> {
    let mut wrong = Vec::new();
    for Message { name, mut bytes, .. } in messages_for::<C>() {
        bytes.push(0xc0);
        if !probes::is_rejected::<C>(&bytes) {
            wrong.push(format!("{name}: accepted with a byte after its end"));
        }
    }
    none(wrong)
}

fn no_cut<C: Codec>() -> Result<(), String> {
    let mut wrong = Vec::new();
    for Message { name, bytes, .. } in messages_for::<C>() {
        let accepted = |kept: &usize| !probes::is_rejected::<C>(&bytes[..*kept]);
        let kept = (0..bytes.len()).filter(accepted);
        wrong.extend(kept.map(|kept| format!("{name}: accepted when cut after {kept} bytes")));
    }
    none(wrong)
}

fn none(wrong: Vec<String>) -> Result<(), String> {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Runs the tests whose names contain one of the words on the command line, or all.
pub(crate) fn main(tests: &[SelfTest], arguments: &[String]) -> ExitCode {
    let filters = filters(arguments);
    let wanted = |test: &&SelfTest| {
        filters.is_empty() || filters.iter().any(|filter| test.name.contains(filter))
    };
    let chosen: Vec<&SelfTest> = tests.iter().filter(wanted).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        chosen.iter().for_each(|test| println!("{}: test", test.name));
        return ExitCode::SUCCESS;
    }

    let start = Instant::now();
    println!("\nrunning {} tests", chosen.len());
    let mut failed = 0;
    for SelfTest { name, run } in &chosen {
        let result = catch_unwind(run).unwrap_or_else(|panic| Err(words(&*panic).to_owned()));
        match result {
            Ok(()) => println!("test {name} ... ok"),
            Err(why) => {
                failed += 1;
                println!("test {name} ... FAILED\n{why}");
            }
        }
    }
    println!(
        "\ntest result: {}. {} passed; {failed} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failed == 0 { "ok" } else { "FAILED" },
        chosen.len() - failed,
        tests.len() - chosen.len(),
        start.elapsed().as_secs_f64()
    );
    // The usual runner leaves with 101, and `cargo test` says so.
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// The words on the command line that are no flags of the usual runner, nor values of such.
fn filters(arguments: &[String]) -> Vec<&str> {
    const WITH_VALUE: &[&str] =
        &["--color", "--format", "--logfile", "--skip", "--test-threads", "-Z"];
    let mut words = Vec::new();
    let mut is_value = false;
    for argument in arguments {
        if !is_value && !argument.starts_with('-') {
            words.push(argument.as_str());
        }
        is_value = WITH_VALUE.contains(&argument.as_str());
    }
    words
}

#[cfg(test)]
mod tests {
    use codec::{Capabilities, Rejected, Stats, Sums};

    use super::*;

    #[test]
    fn flags_of_the_usual_runner_are_no_filters() {
        let line = ["--test-threads", "1", "depth", "--nocapture", "--format=terse"];
        assert_eq!(filters(&line.map(String::from)), ["depth"]);
    }

    /// Accepts every message and finds nothing, but claims to do everything.
    #[derive(Default)]
    struct Boaster;

    impl Codec for Boaster {
        type Document<'i> = ();
        type Output = ();
        const CAPABILITIES: Capabilities = Capabilities {
            binary: true,
            ext: true,
            non_string_keys: true,
            checks_utf8: true,
            borrows_input: true,
            keeps_key_order: true,
            narrows_floats: true,
            max_depth: Some(10),
        };
        fn version() -> String {
            "the best".into()
        }
        fn parse(&mut self, _: &[u8]) -> Result<(), Rejected> {
            Ok(())
        }
        fn serialize(&mut self, (): &()) -> Result<(), Rejected> {
            Ok(())
        }
        fn bytes((): &()) -> &[u8] {
            &[]
        }
        fn stats((): &()) -> Stats {
            Stats::default()
        }
        fn sums((): &()) -> Sums {
            Sums::default()
        }
    }

    #[test]
    fn a_codec_whose_claims_are_all_wrong_fails_every_test() {
        let passed = msgpack::<Boaster>().into_iter().filter(|test| (test.run)().is_ok());
        assert_eq!(passed.map(|test| test.name).collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
