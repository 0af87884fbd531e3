//! Filters: which codecs and datasets a command is about.

use std::fmt::Write as _;

use crate::usage::Usage;

/// How many ids an error lists; chosen to fit a screen.
const LISTED: usize = 30;

/// Ids that some filter names, in their own order; all of them without a filter.
///
/// A filter is a whole id, a prefix that ends at a `/`, or the name of a library or dataset alone.
///
/// # Errors
///
/// A filter that names nothing, with a list of what there is.
pub(crate) fn select<'a, T>(
    flag: &str,
    filters: &[String],
    all: &'a [T],
    id: impl Fn(&T) -> String,
) -> anyhow::Result<Vec<&'a T>> {
    for filter in filters {
        if !all.iter().any(|item| names(filter, &id(item))) {
            let mut text = format!("`{flag} {filter}` matches nothing; there are");
            for item in all.iter().take(LISTED) {
                let _ = write!(text, "\n  {}", id(item));
            }
            if all.len() > LISTED {
                let _ = write!(text, "\n  and {} more", all.len() - LISTED);
            }
            let _ = write!(
                text,
                "\n  fix: use one of these, a prefix that ends at a `/`, or a single name between the `/`"
            );
            return Err(Usage(text).into());
        }
    }
    Ok(all
        .iter()
        .filter(|item| filters.is_empty() || filters.iter().any(|filter| names(filter, &id(item))))
        .collect())
}

/// Whether a filter names an id.
pub(crate) fn names(filter: &str, id: &str) -> bool {
    let prefix = filter.strip_suffix('/').unwrap_or(filter);
    let rest = id.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        || (!prefix.contains('/') && id.split('/').any(|word| word == prefix))
}

#[test]
fn a_filter_is_an_id_or_a_prefix_at_a_slash_or_a_name() {
    for filter in ["msgpack/mpack/tree", "msgpack/mpack", "msgpack/", "mpack", "tree"] {
        assert!(names(filter, "msgpack/mpack/tree"), "{filter}");
    }
    for filter in ["msgpack/mpack/tre", "msgpack/mp", "mpack/tree", "pack", "", "/"] {
        assert!(!names(filter, "msgpack/mpack/tree"), "{filter}");
    }
}

#[test]
fn a_filter_that_matches_nothing_lists_what_there_is() {
    let all = ["a/b".to_owned(), "a/c".to_owned()];
    assert_eq!(select("--codec", &["c".into()], &all, String::clone).unwrap(), [&all[1]]);
    let error = select("--codec", &["d".into()], &all, String::clone).unwrap_err().to_string();
    assert!(
        error.contains("`--codec d` matches nothing") && error.contains("\n  a/c\n"),
        "{error}"
    );
}
