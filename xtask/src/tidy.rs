//! Rules of the repository, as tests.
//!
//! A rule is a function from files or manifests to faults.
//! Beside each stands a test that plants a fault and sees it found; here all rules are put to the repository itself.

mod arrows;
mod code;
mod foreign;
mod pins;
mod places;
mod registration;
mod tree;

use std::sync::LazyLock;

use tree::{File, Metadata};

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| tree::files(crate::root()));
static METADATA: LazyLock<Metadata> = LazyLock::new(|| tree::metadata(crate::root()));

/// Fails with all faults at once.
#[track_caller]
fn holds(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Fails unless the faults are at these places, each with its remedy.
#[track_caller]
fn found_at(faults: &[String], places: &[&str]) {
    let found: Vec<&str> =
        faults.iter().map(|fault| fault.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(found, places, "{}", faults.join("\n"));
    assert!(faults.iter().all(|fault| fault.contains("\n  fix: ")), "{}", faults.join("\n"));
}

#[test]
fn crates_use_only_what_the_drawing_allows() {
    holds(&arrows::arrows(&METADATA, &FILES));
}

#[test]
fn the_judges_and_the_interface_depend_on_nothing() {
    holds(&arrows::independence(&METADATA, &FILES));
}

#[test]
fn a_plain_build_needs_no_fetched_source() {
    holds(&arrows::default_members(&METADATA, &FILES));
}

#[test]
fn adapters_register_as_their_names_say() {
    holds(&registration::names(&METADATA, &FILES));
}

#[test]
fn every_codec_has_its_five_programs() {
    holds(&registration::programs(&METADATA, &FILES));
}

#[test]
fn every_adapter_explains_itself() {
    holds(&registration::readmes(&METADATA, &FILES));
}

#[test]
fn every_source_file_says_in_its_first_line_what_lives_there() {
    holds(&code::headers(&FILES));
}

#[test]
fn no_source_file_is_too_long() {
    holds(&code::lengths(&FILES));
}

#[test]
fn no_file_is_named_after_nothing() {
    holds(&code::names(&FILES));
}

#[test]
fn unsafe_code_is_in_the_bridges_of_adapters_only() {
    holds(&code::unsafe_places(&FILES));
}

#[test]
fn no_registry_is_named() {
    holds(&foreign::hosts(&FILES));
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    holds(&foreign::machine_paths(&FILES));
}

#[test]
fn no_source_of_others_is_in_the_repository() {
    holds(&foreign::source(&FILES));
}

#[test]
fn no_file_is_so_large_that_it_must_be_data() {
    holds(&foreign::sizes(&FILES));
}

#[test]
fn everything_that_is_fetched_is_pinned_with_its_hash() {
    holds(&pins::npm(&FILES));
    holds(&pins::pip(&FILES));
    holds(&pins::cargo(&FILES));
}

#[test]
fn the_compiler_is_pinned() {
    holds(&pins::toolchain(&FILES));
}

#[test]
fn the_root_holds_what_it_must_and_nothing_else() {
    holds(&places::top_level(&FILES));
}

#[test]
fn nothing_that_a_command_makes_is_in_the_repository() {
    holds(&places::made(&FILES));
}

#[test]
fn links_between_documents_lead_somewhere() {
    holds(&places::links(&FILES));
}
