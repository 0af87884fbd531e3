//! Ctrl-C: heard by one thread, told to whoever waits for a child.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
};

use anyhow::Context as _;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::spawn::Event;

static WISHED: AtomicBool = AtomicBool::new(false);
static LISTENER: Mutex<Option<Sender<Event>>> = Mutex::new(None);

/// Starts to listen; from now on a signal is a wish and no longer the end.
///
/// A second signal ends the program at once.
///
/// # Errors
///
/// What the system says.
pub(crate) fn listen() -> anyhow::Result<()> {
    let mut signals =
        Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen to signals")?;
    thread::spawn(move || {
        for _ in signals.forever() {
            if WISHED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
            let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(sender) = &*listener {
                // Nobody waits any more: the wish is read at the next step.
                let _ = sender.send(Event::Interrupt);
            }
        }
    });
    Ok(())
}

/// Whether the user wants to stop.
pub(crate) fn wished() -> bool {
    WISHED.load(Ordering::SeqCst)
}

/// Until it is dropped, a wish to stop is also sent to this channel.
pub(crate) struct Registration;

/// Registers a channel.
pub(crate) fn tell(sender: Sender<Event>) -> Registration {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender.clone());
    if wished() {
        let _ = sender.send(Event::Interrupt);
    }
    Registration
}

impl Drop for Registration {
    fn drop(&mut self) {
        *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
