//! Rolls: pools stay unsampled, or split as soon as they are rolled.

use super::branch::{BoxedBranch, Branch};
use super::branches::Splitter;
use super::driver::Ready;
use super::explosions::Way;
use super::open::{Open, Values};
use super::{Pools, explosions, pool};
use grognard_base::value::dice::MOST_DICE;
use grognard_program::{AskKind, Instr, Reg, Wants};
use grognard_vm::{Die, Fault, Handle, LazyDice, holds};
use std::rc::Rc;

impl Splitter<'_, '_> {
    /// Splits a branch at a roll that makes a pool (`stays`) or is summed at once; `given` is whether later rolls can be fixed.
    /// Returns `false` if there are too many branches.
    pub fn throw(
        &mut self,
        branch: &mut BoxedBranch,
        (stays, given): (bool, bool),
        dice: impl Iterator<Item = Die>,
        out: &mut Open,
    ) -> Result<bool, Fault> {
        let give = |branch: &mut Branch, cells: Vec<i64>| {
            branch.ready = Some(Ready::Cells(cells));
            branch.fresh = false;
        };
        let most = self.most_branches();
        if self.pools == Pools::Dice {
            let dice: Vec<Die> = dice.collect();
            let Some(ways) = pool::every(self.game, &dice, most) else { return Ok(false) };
            return Ok(self.split(branch, ways.list, &ways.whole, out, give));
        }
        let cells = pool::thrown(self.game, dice);
        if !stays {
            let Some(totals) = self.totals(&cells) else { return Ok(false) };
            let into = self.thrown_into(branch);
            // A sum that is only compared splits by the result.
            if let Some(dst) = into
                && let Some(fold) = self.fold(branch, branch.state.pc + 1, dst)
            {
                return Ok(self.compare(branch, &fold, &totals, out, |branch| branch.fresh = false));
            }
            let spread = Rc::clone(&totals.spread);
            let values = match into {
                // If no script counts the rolls, the sum goes directly to its register.
                Some(dst) if !given => {
                    (branch.fresh, branch.state.pc) = (false, branch.state.pc + 1);
                    Values::Numbers(branch.state.base as usize + usize::from(dst), spread)
                }
                _ => Values::Thrown(spread),
            };
            return Ok(self.split_by(branch, values, &totals.spread.whole, out));
        }
        if self.pools == Pools::Asked
            && !given
            && let Some(chains) = self.chains(branch, &cells)
        {
            if !self.room(branch, out.len() + chains.len()) {
                return Ok(false);
            }
            for (cells, weight, whole) in chains {
                let mut way = self.copy(branch);
                (way.weight, way.whole) = (way.weight.mul(&weight), way.whole.mul(&whole));
                give(&mut way, cells);
                out.push(way);
            }
            return Ok(true);
        }
        if self.pools == Pools::Faces {
            let Some(parts) = pool::part(self.game, &cells, Wants::Faces, 0, &mut self.ways, most)? else {
                return Ok(false);
            };
            return Ok(self.split(branch, parts.list, &parts.whole, out, give));
        }
        give(branch, cells);
        out.push(self.take(branch));
        Ok(true)
    }

    /// Returns all dice that follow an explosion at once. It applies if no code reads the order of the pool, and if the same
    /// faces explode in every round.
    fn chains(&mut self, branch: &Branch, thrown: &[i64]) -> Option<Vec<Way>> {
        let Instr::Ask { at } = self.game.program.code[branch.state.pc as usize] else { return None };
        let AskKind::Reroll { pool, chains: Some(chains), .. } = &self.game.program.asks[at as usize].kind else {
            return None;
        };
        let number = |reg: Reg| branch.state.stack[branch.state.base as usize + reg as usize];
        let (list, rounds) = (Handle::of(number(*pool)), usize::try_from(number(chains.left)).ok()?);
        let bag = || self.canonical.borrow_mut().is_bag_at(&branch.state, self.root, list, chains.over);
        if rounds < 2 || self.keeps || !bag() {
            return None;
        }
        let die = LazyDice::of(*thrown.first()?)?;
        let fits = |face: i64| chains.fits.iter().all(|(op, than)| holds(*op, face, number(*than)));
        let room = MOST_DICE.checked_sub(list.len)?;
        let (most, length) = (self.most_branches(), (thrown.len(), rounds));
        explosions::ways(self.game, die, length, fits, (room, most), &mut self.ways, &self.meter)
    }

    /// Returns the register of the sum of the current roll.
    fn thrown_into(&self, branch: &Branch) -> Option<u16> {
        let Instr::Ask { at } = self.game.program.code[branch.state.pc as usize] else { return None };
        let kind = &self.game.program.asks[at as usize].kind;
        if let AskKind::Roll { dst, .. } = kind { Some(*dst) } else { None }
    }
}
