//! A scenario as a game tree, for OpenSpiel.

use crate::error::calm;
use grognard_base::Effort;
use grognard_odds::GameNode;
use grognard_play::odds::game_tree as explore;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The nodes of a scenario as a game, the first one first: `("chance", [(node, chance)])`,
/// `("decision", player, text, best, [(text, node)])` or `("end", value)`. `objective` is the value that players play for.
#[pyfunction]
#[pyo3(signature = (scenario, objective, budget))]
pub fn game_tree<'py>(
    py: Python<'py>,
    scenario: &crate::scenario::Scenario,
    objective: Option<&str>,
    budget: usize,
) -> PyResult<Bound<'py, PyList>> {
    let (scenario, nodes) = calm(py, || {
        let scenario = match objective {
            Some(objective) => scenario.0.with_objective(objective)?,
            None => scenario.0.clone(),
        };
        let found = explore(scenario.engine(), Effort::Given(budget).budget());
        let nodes = found.map_err(|fault| scenario.fault(&fault.diagnostic()))?;
        Ok((scenario, nodes))
    })?;
    let inner = scenario.engine();
    let all = PyList::empty(py);
    let class = py.import("fractions")?.getattr("Fraction")?;
    let fraction = |value: &grognard_base::value::Fraction| class.call1((value.to_string(),));
    for node in nodes {
        all.append(match node {
            GameNode::Chance(edges) => {
                let edges = edges.iter().map(|(to, chance)| Ok((*to, fraction(chance)?)));
                ("chance", edges.collect::<PyResult<Vec<_>>>()?).into_pyobject(py)?.into_any()
            }
            GameNode::Decision { site, who, best, entries } => {
                let game = &inner.game;
                let name = game.program.schema.sites.get(site.at()).map_or("", |site| site.name.as_str());
                let of = game.packed_name(who.subject);
                let text = if of.is_empty() { name.to_string() } else { format!("{name} of {of}") };
                ("decision", game.packed_name(who.player), text, best, entries).into_pyobject(py)?.into_any()
            }
            GameNode::End(value) => ("end", fraction(&value)?).into_pyobject(py)?.into_any(),
        })?;
    }
    Ok(all)
}
