//! Changes the table: writes with their layers, statuses, destruction, and the rules on events.

use super::value::V;
use super::world::{Declared, Exit, Frame, Res, Stored, Wait, World};
use grognard_syntax::tree::*;

/// Address of a stored value: a field of a thing, or a state of the game.
pub type Place = (Option<usize>, String);

fn is_named(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(n) if n == name)
}

impl<'b> World<'b> {
    pub fn stored(&mut self, (thing, name): &Place) -> &mut Stored {
        match thing {
            Some(n) => self.things[*n].fields.get_mut(name).expect("a field"),
            None => self.states.get_mut(name).expect("a state"),
        }
    }

    fn type_of(&self, (thing, name): &Place) -> &'b TypeExpr {
        match thing {
            Some(n) => match self.declared(&self.things[*n].kind, name) {
                Some(Declared::Stat(slot) | Declared::State(slot)) => &slot.ty,
                Some(Declared::Link(ty)) => ty,
                _ => panic!("{name} is not stored"),
            },
            None => &self.book.states.iter().find(|s| s.name.text == *name).expect("a state").ty,
        }
    }

    fn note(&mut self, word: &str, (thing, name): &Place, old: &V, new: &V) {
        let name = thing.map_or(name.clone(), |n| format!("{}.{name}", self.things[n].name));
        self.log.push(match new {
            V::List(_) => format!("{word} {name}"),
            _ => format!("{word} {name} {} -> {}", self.rendered(old), self.rendered(new)),
        });
    }

    /// Returns the end of a duration: that of the innermost running phase of this name, or of the next one.
    pub fn wait(&mut self, frame: &mut Frame, until: &Until) -> Res<Wait> {
        let key = match &until.key {
            Some(key) => Some(self.eval(frame, key)?),
            None => None,
        };
        let phase = until.phase.text.clone();
        let innermost = self.running.iter().rev().find(|r| r.name == phase && !r.ending).map(|r| r.id);
        let running = innermost.filter(|_| !until.start && key.is_none());
        Ok(Wait { start: until.start, phase, key, running })
    }

    pub fn write(&mut self, place: &Place, op: SetOp, value: V, wait: Option<Wait>) -> Res<()> {
        if place.0.is_some_and(|n| !self.things[n].alive) {
            return Err(Exit::Fault("R0916"));
        }
        let ty = self.type_of(place);
        let value = self.fit(ty, value);
        let old = self.stored(place).shown().clone();
        let changed = |world: &mut Self, old: &V| -> Res<V> {
            let new = match (op, old, &value) {
                (SetOp::Set, ..) => value.clone(),
                (SetOp::Add, V::List(old), V::List(more)) => V::List([old.clone(), more.clone()].concat()),
                (SetOp::Add, V::List(old), one) => V::List([old.clone(), vec![one.clone()]].concat()),
                (SetOp::Sub, V::List(old), V::List(less)) => V::List(world.without(old.clone(), less)),
                (SetOp::Sub, V::List(old), one) => V::List(world.without(old.clone(), std::slice::from_ref(one))),
                (SetOp::Add, old, by) => world.arith(ArithOp::Add, old.clone(), by.clone())?,
                (SetOp::Sub, old, by) => world.arith(ArithOp::Sub, old.clone(), by.clone())?,
            };
            world.cut(place.0, ty, new)
        };
        match (&wait, op) {
            (Some(wait), _) => {
                let new = changed(self, &old)?;
                let stored = self.stored(place);
                // a layer that ends at the same moment is replaced
                if stored.layers.last().is_some_and(|(_, last)| last == wait) {
                    stored.layers.pop();
                }
                stored.layers.push((new, wait.clone()));
            }
            (None, SetOp::Set) => {
                let new = changed(self, &old)?;
                *self.stored(place) = Stored::lasts(new);
            }
            (None, SetOp::Add | SetOp::Sub) => {
                let Stored { lasting, layers } = self.stored(place).clone();
                let lasting = changed(self, &lasting)?;
                let layers: Vec<(V, Wait)> =
                    layers.into_iter().map(|(v, wait)| Ok((changed(self, &v)?, wait))).collect::<Res<_>>()?;
                let waits: Vec<Wait> = layers.iter().map(|(_, wait)| wait.clone()).collect();
                *self.stored(place) = Stored { lasting, layers };
                for wait in &waits {
                    self.keep_cut(place, wait)?;
                }
            }
        }
        let new = self.stored(place).shown().clone();
        self.note("set", place, &old, &new);
        if let Some(wait) = &wait {
            self.layer_over(place, wait);
        }
        self.recut()?;
        self.judge()
    }

    /// Adds a layer to each state whose bound was written for a time, so that the state comes back with the bound.
    fn layer_over(&mut self, (thing, bound): &Place, wait: &Wait) {
        let Some(n) = *thing else { return };
        for member in &self.book.kind(&self.things[n].kind).expect("a kind").members {
            if let MemberKind::State(slot) = &member.kind
                && let TypeExprKind::Bounded { low, high } = &slot.ty.kind
                && [Some(low), high.as_ref()].into_iter().flatten().any(|e| is_named(e, bound))
            {
                let stored = self.stored(&(*thing, slot.name.text.clone()));
                if stored.layers.last().is_none_or(|(_, last)| last != wait) {
                    let value = stored.shown().clone();
                    stored.layers.push((value, wait.clone()));
                }
            }
        }
    }

    /// Adds a layer to each state that a bound cuts which is under a duration, so that the state comes back with the bound.
    fn keep_cut(&mut self, (thing, bound): &Place, wait: &Wait) -> Res<()> {
        let Some(n) = *thing else { return Ok(()) };
        let book = self.book;
        for member in &book.kind(&self.things[n].kind).expect("a kind").members {
            if let MemberKind::State(slot) = &member.kind
                && let TypeExprKind::Bounded { low, high } = &slot.ty.kind
                && [Some(low), high.as_ref()].into_iter().flatten().any(|e| is_named(e, bound))
            {
                let place = (*thing, slot.name.text.clone());
                let value = self.stored(&place).shown().clone();
                if self.cut(*thing, &slot.ty, value.clone())? != value {
                    let stored = self.stored(&place);
                    if stored.layers.iter().all(|(_, last)| last != wait) {
                        stored.layers.push((value, wait.clone()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Cuts the visible value of each state to its bounds. Values below a layer are cut when they become visible.
    pub fn recut(&mut self) -> Res<()> {
        let mut places: Vec<Place> = Vec::new();
        for (n, thing) in self.things.iter().enumerate().filter(|(_, t)| t.alive) {
            for member in &self.book.kind(&thing.kind).expect("a kind").members {
                if let MemberKind::State(slot) = &member.kind
                    && matches!(slot.ty.kind, TypeExprKind::Bounded { .. })
                    && thing.fields.contains_key(&slot.name.text)
                {
                    places.push((Some(n), slot.name.text.clone()));
                }
            }
        }
        for slot in self.book.states.iter().filter(|s| self.states.contains_key(&s.name.text)) {
            places.push((None, slot.name.text.clone()));
        }
        // a bound may be a state that this cuts
        loop {
            let before = self.log.len();
            for place in &places {
                let old = self.stored(place).shown().clone();
                self.cut_shown(place)?;
                let new = self.stored(place).shown().clone();
                if new != old {
                    self.note("set", place, &old, &new);
                }
            }
            if self.log.len() == before {
                break;
            }
        }
        Ok(())
    }

    fn cut_shown(&mut self, place: &Place) -> Res<()> {
        let shown = self.stored(place).shown().clone();
        let new = self.cut(place.0, self.type_of(place), shown)?;
        let stored = self.stored(place);
        *stored.layers.last_mut().map_or(&mut stored.lasting, |(value, _)| value) = new;
        Ok(())
    }

    /// Judges all laws.
    pub fn judge(&mut self) -> Res<()> {
        for law in &self.book.laws {
            if !self.eval(&mut Frame::default(), law)?.flag() {
                return Err(Exit::Fault("R0904"));
            }
        }
        Ok(())
    }

    /// Ends the durations that wait for the start or end of a running phase.
    pub fn expire(&mut self, at: usize, start: bool) -> Res<()> {
        let running = &self.running[at];
        let (id, name, first) = (running.id, running.name.clone(), running.vars.first().map(|(_, v)| v.clone()));
        let over = |wait: &Wait| {
            wait.start == start
                && wait.phase == name
                && wait.running.is_none_or(|r| r == id)
                && (wait.key.is_none() || wait.key == first)
        };
        for thing in &mut self.things {
            thing.statuses.retain(|(.., wait)| !wait.as_ref().is_some_and(&over));
        }
        let mut restored: Vec<Place> = Vec::new();
        let fields = self.things.iter_mut().enumerate();
        let fields = fields.flat_map(|(n, t)| t.fields.iter_mut().map(move |(name, of)| ((Some(n), name.clone()), of)));
        let states = self.states.iter_mut().map(|(name, of)| ((None, name.clone()), of));
        for (place, stored) in fields.chain(states) {
            if stored.layers.last().is_some_and(|(_, wait)| over(wait)) {
                restored.push(place);
            }
            stored.layers.retain(|(_, wait)| !over(wait));
        }
        // a bound may be restored at the same moment
        for _ in 0..4 {
            for place in &restored {
                self.cut_shown(place)?;
            }
        }
        self.recut()
    }

    pub fn grant(&mut self, thing: usize, status: &str, data: Vec<(String, V)>, wait: Option<Wait>) -> Res<()> {
        if !self.things[thing].alive {
            return Err(Exit::Fault("R0916"));
        }
        let name = self.things[thing].name.clone();
        let statuses = &mut self.things[thing].statuses;
        match statuses.iter_mut().find(|(s, d, _)| s == status && *d == data) {
            // a thing bears a status once; the last duration holds
            Some(borne) => borne.2 = wait,
            None => statuses.push((status.to_string(), data, wait)),
        }
        self.log.push(format!("grant {status} {name}"));
        self.recut()?;
        self.judge()
    }

    pub fn revoke(&mut self, thing: usize, status: &str, data: Option<Vec<(String, V)>>) -> Res<()> {
        if !self.things[thing].alive {
            return Err(Exit::Fault("R0916"));
        }
        let statuses = &mut self.things[thing].statuses;
        statuses.retain(|(s, d, _)| s != status || data.as_ref().is_some_and(|data| d != data));
        self.recut()?;
        self.judge()
    }

    /// Returns the group whose only living member is this thing.
    fn group_left_empty(&mut self, thing: usize) -> Res<Option<usize>> {
        for group in 0..self.things.len() {
            let kind = self.book.kind(&self.things[group].kind).expect("a kind");
            if kind.group_of.is_some() && !kind.stays_empty && self.things[group].alive {
                let members = self.members(group)?;
                if members == [V::Thing(thing)] {
                    return Ok(Some(group));
                }
            }
        }
        Ok(None)
    }

    /// Runs the rules on the destruction: of the group that goes with its last member, of the thing, of the members of a group.
    /// Then destroys them; the trace lists the members before their group.
    pub fn destroy(&mut self, thing: usize) -> Res<()> {
        if !self.things[thing].alive {
            return Err(Exit::Fault("R0916"));
        }
        let members: Vec<usize> = match self.book.kind(&self.things[thing].kind).expect("a kind").group_of {
            Some(_) => self.members(thing)?.iter().map(V::thing).collect(),
            None => Vec::new(),
        };
        let announced: Vec<usize> =
            self.group_left_empty(thing)?.into_iter().chain([thing]).chain(members.iter().copied()).collect();
        for one in announced {
            if self.things[one].falling || !self.things[one].alive {
                continue;
            }
            self.things[one].falling = true;
            let kind = self.things[one].kind.clone();
            let event = V::Record(vec![("thing".to_string(), V::Thing(one))]);
            self.fire(&|on| matches!(on, Trigger::DestroyOf(k) if k.text == kind), &event)?;
        }
        let group = self.group_left_empty(thing)?;
        for gone in members.into_iter().chain([thing]).chain(group) {
            if self.things[gone].alive {
                self.things[gone].alive = false;
                self.log.push(format!("destroy {}", self.things[gone].name));
            }
        }
        self.recut()?;
        self.judge()
    }

    /// Judges all guards on the moment of the event, then runs the rules whose guard held: those without a trait, then those of
    /// traits in scenario order of the bearers, destroyed bearers last.
    pub fn fire(&mut self, answers: &dyn Fn(&Trigger) -> bool, event: &V) -> Res<()> {
        let book = self.book;
        let mut asked: Vec<(&'b Rule, Option<usize>)> =
            book.rules.iter().filter(|r| answers(&r.on)).map(|r| (r, None)).collect();
        let named: Vec<V> = match event {
            V::Record(fields) => fields.iter().map(|(_, v)| v.clone()).collect(),
            V::Running(at) if self.running[*at].action => {
                self.running[*at].vars.iter().map(|(_, v)| v.clone()).collect()
            }
            _ => Vec::new(),
        };
        for living in [true, false] {
            for of in &book.traits {
                for rule in of.members.iter().filter_map(|m| match &m.kind {
                    TraitMemberKind::Rule(rule) if answers(&rule.on) => Some(rule),
                    _ => None,
                }) {
                    for thing in 0..self.things.len() {
                        let here = self.things[thing].alive == living && (living || named.contains(&V::Thing(thing)));
                        if self.things[thing].kind == of.on.text && here && self.bears(thing, of)? {
                            asked.push((rule, Some(thing)));
                        }
                    }
                }
            }
        }
        let first = match event {
            V::Record(fields) => fields.first().map(|(_, v)| v.clone()),
            // on an action it is the actor; a rule on a phase has none
            V::Running(at) => self.running[*at].actor.clone(),
            _ => None,
        };
        let first = first.and_then(|v| if let V::Thing(n) = v { Some(n) } else { None });
        let mut held = Vec::new();
        for (rule, me) in asked {
            let mut frame = Frame { me, ..Frame::default() };
            if let Some(bound) = &rule.bound {
                frame.env.push((bound.text.clone(), event.clone()));
            }
            if self.holds(&mut frame, rule.when.as_ref())? {
                held.push((rule, frame));
            }
        }
        for (rule, mut frame) in held {
            frame.who = rule.name.text.clone();
            frame.of_rule = true;
            // the subject of a rule without a bearer is the first thing that its event names
            frame.subject = frame.me.or(first);
            self.log.push(match frame.me {
                Some(me) => format!("rule {} {}", rule.name.text, self.things[me].name),
                None => format!("rule {}", rule.name.text),
            });
            match self.block(&mut frame, &rule.body) {
                Ok(()) | Err(Exit::Return(_) | Exit::Stop) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }
}
