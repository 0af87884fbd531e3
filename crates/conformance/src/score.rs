//! Points, added up by category.

use std::{fmt, ops::AddAssign};

use crate::{Case, Category, Judgement};

/// Points out of those that there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Points won.
    pub points: u32,
    /// Points that could be won.
    pub of: u32,
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.points += other.points;
        self.of += other.of;
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.points, self.of)
    }
}

/// The score in every category, in the order of the table.
pub fn scores<'a>(
    judged: impl IntoIterator<Item = (&'a Case, &'a Judgement)>,
) -> [(Category, Score); 4] {
    let mut scores = Category::ALL.map(|category| (category, Score::default()));
    for (case, judgement) in judged {
        for (category, score) in &mut scores {
            if case.category == Some(*category) {
                *score += judgement.points;
            }
        }
    }
    scores
}

/// The score in all categories together.
pub fn total(scores: &[(Category, Score)]) -> Score {
    let mut total = Score::default();
    scores.iter().for_each(|(_, score)| total += *score);
    total
}
