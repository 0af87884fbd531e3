//! Which rounds of a run count, which are void, and which are still to be measured.

use std::collections::HashSet;

use protocol::{
    job::Operation,
    record::Row,
    run::{Cell, Profile, Run, Stored},
};

/// The rounds of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// Those that count, at most as many as were wanted.
    pub used: Vec<u32>,
    /// Those in which the canary left its fence.
    pub void: Vec<u32>,
    /// Those that lack a process or the canary.
    pub unfinished: Vec<u32>,
}

/// The rounds of an operation.
///
/// A round without its canary is unfinished, and counts until it is measured again: it is shown, because nothing measured is hidden.
pub fn rounds(stored: &Stored, operation: Operation) -> Rounds {
    let void = void(stored);
    let mut rounds = Rounds::default();
    let there: HashSet<Cell> = stored.rows.iter().map(Row::cell).collect();
    for round in 0..begun(stored, operation) {
        if void.contains(&(operation, round)) {
            rounds.void.push(round);
            continue;
        }
        if !is_whole(stored, &there, operation, round) {
            rounds.unfinished.push(round);
        }
        if rounds.used.len() < wanted(stored) {
            rounds.used.push(round);
        }
    }
    rounds
}

/// The round that is to be measured next, and of which operation; `None` if nothing is left to do.
///
/// Void rounds are repeated at the end, up to half as many as were wanted.
/// A run of so many minutes has no end of its own.
pub fn next(stored: &Stored) -> Option<(u32, Operation)> {
    let there: HashSet<Cell> = stored.rows.iter().map(Row::cell).collect();
    let run = &stored.run;
    let nothing_to_do = run.datasets.is_empty() || run.cells(Operation::Parse, 0).next().is_none();
    if nothing_to_do {
        return None;
    }
    let most = run.rounds + run.rounds / 2;
    let of = |&operation: &Operation| {
        let begun = begun(stored, operation);
        let open = (0..begun).find(|&round| !is_whole(stored, &there, operation, round));
        let valid = rounds(stored, operation).used.len();
        let more = match run.minutes {
            Some(_) => true,
            None => begun < run.rounds || (valid < run.rounds as usize && begun < most),
        };
        Some((open.or(more.then_some(begun))?, operation))
    };
    run.operations.iter().filter_map(of).min_by_key(|(round, _)| *round)
}

/// Whether all was measured that was wanted.
pub fn is_complete(stored: &Stored) -> bool {
    match stored.run.minutes {
        None => next(stored).is_none(),
        Some(_) => {
            let operations = &stored.run.operations;
            let begun: HashSet<u32> = operations.iter().map(|&op| begun(stored, op)).collect();
            let open = operations.iter().any(|&op| !rounds(stored, op).unfinished.is_empty());
            begun.len() == 1 && !begun.contains(&0) && !open
        }
    }
}

/// How many rounds may count.
fn wanted(stored: &Stored) -> usize {
    if stored.run.minutes.is_some() { usize::MAX } else { stored.run.rounds as usize }
}

/// How many rounds of an operation have begun.
fn begun(stored: &Stored, operation: Operation) -> u32 {
    let rows = stored.rows.iter().filter(|row| row.operation == operation).map(|row| row.round);
    rows.max().map_or(0, |last| last + 1)
}

fn is_whole(stored: &Stored, there: &HashSet<Cell>, operation: Operation, round: u32) -> bool {
    let canary =
        stored.canary.iter().any(|line| line.operation == operation && line.round == round);
    canary && stored.run.cells(operation, round).all(|cell| there.contains(&cell))
}

/// The fence is one for the whole run: the canary does the same work around every operation.
fn void(stored: &Stored) -> HashSet<(Operation, u32)> {
    if is_a_look(&stored.run) {
        return HashSet::new();
    }
    let seen: Vec<_> =
        stored.canary.iter().filter_map(|line| Some((line, line.value_ns()?))).collect();
    let values: Vec<f64> = seen.iter().map(|(_, value)| *value as f64).collect();
    let void = verdict::void_rounds(&values).into_iter().map(|place| seen[place].0);
    void.map(|line| (line.operation, line.round)).collect()
}

fn is_a_look(run: &Run) -> bool {
    run.profile == Profile::Quick
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::Example;

    const PARSE: Operation = Operation::Parse;

    #[test]
    fn rounds_come_one_after_the_other_and_operations_within_them() {
        let mut example = Example::new(2);
        let mut order = Vec::new();
        while let Some((round, operation)) = next(&example.stored) {
            order.push((round, operation));
            example.measure(operation, round, 100);
        }
        let both = [PARSE, Operation::Read];
        let expected: Vec<_> = (0..2).flat_map(|round| both.map(|op| (round, op))).collect();
        assert_eq!(order, expected);
        assert!(is_complete(&example.stored));
        assert_eq!(rounds(&example.stored, PARSE).used, [0, 1]);
    }

    #[test]
    fn a_void_round_is_repeated_for_all_and_kept() {
        let mut example = Example::new(4);
        for round in 0..4 {
            example.measure(PARSE, round, if round == 1 { 120 } else { 100 });
            example.measure(Operation::Read, round, 100);
        }
        assert_eq!(next(&example.stored), Some((4, PARSE)));
        example.measure(PARSE, 4, 100);
        assert_eq!(next(&example.stored), None);
        let seen = rounds(&example.stored, PARSE);
        assert_eq!((seen.used, seen.void), (vec![0, 2, 3, 4], vec![1]));
        assert_eq!(rounds(&example.stored, Operation::Read).used, [0, 1, 2, 3]);
    }

    #[test]
    fn repeating_ends_after_half_as_many_rounds_again() {
        let mut example = Example::new(6);
        example.stored.run.operations = vec![PARSE];
        // Five of nine are quiet, so the fence stays near them.
        for round in 0..6 {
            example.measure(PARSE, round, if round == 0 { 200 } else { 100 });
        }
        for round in 6..9 {
            assert_eq!(next(&example.stored), Some((round, PARSE)));
            example.measure(PARSE, round, 200);
        }
        assert_eq!(next(&example.stored), None);
        assert!(is_complete(&example.stored));
        let seen = rounds(&example.stored, PARSE);
        assert_eq!((seen.used, seen.void), (vec![1, 2, 3, 4, 5], vec![0, 6, 7, 8]));
    }

    #[test]
    fn a_process_or_a_canary_that_is_missing_is_measured_again() {
        let mut example = Example::new(1);
        example.measure(PARSE, 0, 100);
        example.measure(Operation::Read, 0, 100);
        let whole = example.stored.clone();
        example.stored.rows.remove(0);
        assert_eq!(next(&example.stored), Some((0, PARSE)));
        assert_eq!(rounds(&example.stored, PARSE).unfinished, [0]);
        example.stored = whole;
        example.stored.canary.pop();
        assert_eq!(next(&example.stored), Some((0, Operation::Read)));
    }

    #[test]
    fn a_run_of_minutes_is_complete_whenever_its_operations_have_equal_whole_rounds() {
        let mut example = Example::new(1);
        example.stored.run.minutes = Some(1);
        assert!(!is_complete(&example.stored));
        for round in 0..3 {
            example.measure(PARSE, round, 100);
            assert!(!is_complete(&example.stored));
            example.measure(Operation::Read, round, 100);
            assert!(is_complete(&example.stored));
        }
        assert_eq!(rounds(&example.stored, PARSE).used, [0, 1, 2]);
        assert_eq!(next(&example.stored), Some((3, PARSE)));
    }
}
