//! The entries of a menu, counted through: for players who take any of them, or the best.

use grognard_base::Code;
use grognard_vm::{Answer, Asked, Fault, Form, Subsets};

/// Most entries that are counted through.
const MOST: usize = 4096;

/// All answers to a question in the order of its menu, and their words.
pub fn entries(asked: &Asked<'_>) -> Result<(Vec<Answer>, Vec<String>), Fault> {
    let (game, state) = (asked.game, &*asked.state);
    let site = &game.program.schema.sites[asked.ask.site.at()];
    let told = |candidates: &[i64], width: usize| -> Vec<String> {
        candidates.chunks(width.max(1)).map(|c| game.tell(state, &site.ty, c)).collect()
    };
    let picks = |n: usize| (0..n).map(Answer::Pick).collect::<Vec<_>>();
    let (mut answers, mut names) = match &asked.form {
        Form::Choose { candidates, width, .. } | Form::Next { candidates, width } => {
            (picks(candidates.len() / (*width).max(1)), told(candidates, *width))
        }
        Form::Option { places } => {
            (picks(places.len()), places.iter().map(|p| site.options[*p as usize].clone()).collect())
        }
        Form::May => (vec![Answer::Pick(1), Answer::Pick(0)], vec!["yes".to_string(), "no".to_string()]),
        Form::Menu { menu, .. } => {
            (picks(menu.offered.len()), menu.offered.iter().map(|i| game.tell_instance(state, i)).collect())
        }
        Form::Subset { candidates, width, least, most } => {
            let single = told(candidates, *width);
            let bags = Subsets::of(candidates, *width, *least, *most);
            let count = bags.count(MOST as u64);
            if count > MOST as u64 {
                let message =
                    format!("`{}` has more than {MOST} answers; give it a `prefer`, or its player a policy", site.name);
                return Err(Fault::new(Code::EmptyMenu, message));
            }
            let sets: Vec<Vec<usize>> = (0..count).map(|n| bags.nth(n)).collect();
            let names = sets.iter().map(|s| {
                let words: Vec<&str> = s.iter().map(|n| single[*n].as_str()).collect();
                format!("[{}]", words.join(", "))
            });
            let names = names.collect();
            (sets.into_iter().map(Answer::Several).collect(), names)
        }
        Form::Move { .. } => (vec![Answer::Prefer], vec!["canonical".to_string()]),
    };
    match &asked.form {
        Form::Choose { or_none: true, .. } => {
            answers.insert(0, Answer::None);
            names.insert(0, "none".to_string());
        }
        Form::Menu { or_stop: true, .. } => {
            answers.push(Answer::Stop);
            names.push("stop".to_string());
        }
        Form::Choose { .. } | Form::Menu { .. } | Form::Subset { .. } => {}
        Form::Option { .. } | Form::May | Form::Next { .. } | Form::Move { .. } => {}
    }
    if answers.len() > MOST {
        let message = format!("`{}` has {} answers; {MOST} are the most", site.name, answers.len());
        return Err(Fault::new(Code::EmptyMenu, message));
    }
    Ok((answers, names))
}
