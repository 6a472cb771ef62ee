//! Throws: dice that lie unseen in their place, or part as soon as they fall.

use super::branches::{BoxedBranch, Branch, Splitter};
use super::driver::Ready;
use super::open::{Open, Values};
use super::{Pools, pool};
use crate::machine::{Die, Fault};
use crate::program::{AskKind, Instr, Wants};
use std::rc::Rc;

impl Splitter<'_, '_> {
    /// Splits a branch at a throw, of dice that stay dice or are added up at once. False if there are too many branches.
    pub fn throw(
        &mut self,
        branch: &mut BoxedBranch,
        stays: bool,
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
            // the sum need not be known where it is only compared
            if let Some(dst) = self.thrown_into(branch)
                && let Some(fold) = self.fold(branch, branch.state.pc + 1, dst)
            {
                return Ok(self.compare(branch, &fold, &totals, out, |branch| branch.fresh = false));
            }
            return Ok(self.split_by(branch, Values::Thrown(Rc::clone(&totals.spread)), &totals.spread.whole, out));
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

    /// Where the sum of the roll goes at which a way stands.
    fn thrown_into(&self, branch: &Branch) -> Option<u16> {
        let Instr::Ask { at } = self.game.program.code[branch.state.pc as usize] else { return None };
        let kind = &self.game.program.asks[at as usize].kind;
        if let AskKind::Roll { dst, .. } = kind { Some(*dst) } else { None }
    }
}
