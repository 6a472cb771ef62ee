//! Enumerates the entries of a menu, for players who choose at random or search for the best play.

use grognard_base::Code;
use grognard_vm::{Answer, Asked, Fault, Form, Subsets};

/// Maximum number of entries of a menu.
const MOST: usize = 4096;

/// Returns all answers to a question in the order of its menu, with their texts.
///
/// # Errors
///
/// Fails for more than 4,096 answers.
pub fn entries(asked: &Asked<'_>) -> Result<(Vec<Answer>, Vec<String>), Fault> {
    let site = &asked.game.program.schema.sites[asked.ask.site.at()];
    let single = asked.entries();
    let mut found: Vec<(Answer, String)> = match &asked.form {
        Form::Subset { candidates, width, least, most } => {
            let bags = Subsets::of(candidates, *width, *least, *most);
            let count = bags.count(MOST as u64);
            if count > MOST as u64 {
                let message =
                    format!("`{}` has more than {MOST} answers; give it a `prefer`, or its player a policy", site.name);
                return Err(Fault::new(Code::EmptyMenu, message));
            }
            let words = |bag: &[usize]| bag.iter().map(|n| single[*n].as_str()).collect::<Vec<_>>().join(", ");
            let named = |bag: Vec<usize>| {
                let name = format!("[{}]", words(&bag));
                (Answer::Several(bag), name)
            };
            (0..count).map(|n| named(bags.nth(n))).collect()
        }
        Form::Move { .. } => vec![(Answer::Prefer, "canonical".to_string())],
        Form::Choose { .. } | Form::Next { .. } | Form::Option { .. } | Form::May | Form::Menu { .. } => {
            single.into_iter().enumerate().map(|(n, name)| (Answer::Pick(n), name)).collect()
        }
    };
    match &asked.form {
        Form::Choose { or_none: true, .. } => found.insert(0, (Answer::None, "none".to_string())),
        Form::Menu { or_stop: true, .. } => found.push((Answer::Stop, "stop".to_string())),
        Form::May => found.reverse(),
        Form::Choose { .. } | Form::Menu { .. } | Form::Subset { .. } => {}
        Form::Option { .. } | Form::Next { .. } | Form::Move { .. } => {}
    }
    if found.len() > MOST {
        let message = format!("`{}` has {} answers; {MOST} are the most", site.name, found.len());
        return Err(Fault::new(Code::EmptyMenu, message));
    }
    Ok(found.into_iter().unzip())
}
