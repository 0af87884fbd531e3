//! The body of a program that answers questions about one codec.

use std::{
    any::Any,
    env,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

use anyhow::Context;
use codec::{Codec, Rejected};
use protocol::answer::{Answer, Capabilities, Description, Question, receive, send};

use crate::{
    check, process,
    self_test::{self, SelfTest},
};

/// With `--answer`, answers the driver's questions until it has no more; else tests itself, as under `cargo test`.
///
/// `--memory-limit BYTES` limits the address space.
pub fn main<C: Codec>(tests: Vec<SelfTest>) -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--answer") {
        return self_test::main(&tests, &arguments);
    }
    match answer_all::<C>(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn answer_all<C: Codec>(arguments: &[String]) -> anyhow::Result<()> {
    process::die_with_parent()?;
    if let Some(place) = arguments.iter().position(|argument| argument == "--memory-limit") {
        let bytes = arguments.get(place + 1).and_then(|bytes| bytes.parse().ok());
        process::limit_memory(bytes.context("`--memory-limit` takes a number of bytes")?)?;
    }
    let mut out = process::take_stdout()?;
    let mut questions = io::stdin().lock();
    while let Some((question, message)) = receive(&mut questions).context("no question")? {
        let (answer, output) = match question {
            Question::Describe => (Answer::Description(describe::<C>()), Vec::new()),
            Question::Message => answer::<C>(&message),
        };
        send(&mut out, &answer, &output).context("cannot answer")?;
    }
    out.flush().context("cannot answer")
}

fn describe<C: Codec>() -> Description {
    let codec::Capabilities {
        binary,
        ext,
        non_string_keys,
        checks_utf8,
        borrows_input,
        keeps_key_order,
        narrows_floats,
        max_depth,
    } = C::CAPABILITIES;
    Description {
        version: C::version(),
        capabilities: Capabilities {
            binary,
            ext,
            non_string_keys,
            checks_utf8,
            borrows_input,
            keeps_key_order,
            narrows_floats,
            max_depth,
        },
        reuses: C::KEEPS_DOCUMENTS || C::KEEPS_OUTPUTS,
    }
}

/// What becomes of a message, and the bytes that the library wrote.
///
/// Each message gets a fresh codec, so that none can spoil the next.
pub(crate) fn answer<C: Codec>(message: &[u8]) -> (Answer, Vec<u8>) {
    let mut codec = C::default();
    let read = guarded(|| {
        let document = codec.parse(message)?;
        let content = check::content::<C>(&document);
        Ok((document, content))
    });
    let (document, content) = match read {
        Ok(read) => read,
        Err(why) => return (Answer::Rejected(why.0), Vec::new()),
    };

    let written = guarded(|| {
        let output = codec.serialize(&document)?;
        let bytes = C::bytes(&output).to_vec();
        codec.reclaim_output(output);
        Ok(bytes)
    });
    let bytes = match written {
        Ok(bytes) => bytes,
        Err(why) => return (Answer::NotWritten { content, why: why.0 }, Vec::new()),
    };

    let again = guarded(|| {
        codec.reclaim_document(document);
        let document = codec.parse(&bytes)?;
        Ok(check::content::<C>(&document))
    });
    (Answer::Written { content, again: again.map_err(|why| why.0) }, bytes)
}

/// A panic inside the library is its way to refuse.
pub(crate) fn guarded<T>(call: impl FnOnce() -> Result<T, Rejected>) -> Result<T, Rejected> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|panic| Err(Rejected(format!("panicked: {}", words(&*panic)))))
}

/// What a panic said.
pub(crate) fn words(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without words")
}

#[test]
fn a_panic_inside_the_library_is_a_refusal_in_its_words() {
    let number = std::hint::black_box(3);
    assert_eq!(
        guarded::<()>(|| panic!("bad tag {number}")),
        Err(Rejected("panicked: bad tag 3".into()))
    );
    assert_eq!(guarded::<()>(|| panic!("bad tag")), Err(Rejected("panicked: bad tag".into())));
    assert_eq!(guarded(|| Ok(1)), Ok(1));
}
