//! Tables for the bench, the same on every machine: what lies near is always the same, the rest is out of reach.

use grognard_base::value::*;
use grognard_base::{OrdMap, Sources};
use grognard_board::{Point, Shape};
use grognard_program::{Detail, compile};
use grognard_rules::load;
use grognard_rules::ruleset::TypeName;
use grognard_vm::{First, Game, NoDice, NoTrace, Run, Setup, State, ThingSpec, call, set_up};
use std::time::Instant;

/// Numbers that look random.
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % u64::try_from(n).unwrap()).unwrap()
    }
}

/// Models of a unit.
pub const UNIT: usize = 10;

/// A game in a position.
pub struct World {
    game: Game,
    pub state: State,
    models: usize,
}

/// How a table is laid out, in thousandths of an inch.
pub struct Plan {
    pub models: usize,
    pub woods: usize,
    /// So many of each stand near, on the first 36" by 36"; the others beyond.
    pub near: (usize, usize),
    pub size: (i64, i64),
    /// Each side on its own half, the spots behind them.
    pub facing: bool,
    /// Another number, another table.
    pub seed: u64,
}

impl Plan {
    /// 20 models and 4 woods near; the rest begins 60" away.
    pub fn far(models: usize, woods: usize) -> Plan {
        Plan { models, woods, near: (20, 4), size: (400_000, 400_000), facing: false, seed: 7 }
    }

    /// Two armies on one table of 6' by 4', each on its half, with the spots at its back.
    pub fn battle(models: usize, woods: usize, seed: u64) -> Plan {
        Plan { models, woods, near: (0, 0), size: (72_000, 48_000), facing: true, seed }
    }
}

impl World {
    pub fn new(plan: &Plan) -> World {
        let mut sources = Sources::default();
        let texts = OrdMap::from([("bench/table.rules".to_string(), include_str!("rules/table.rules").to_string())]);
        let rules = load("bench/table", &texts, &mut sources).ruleset.expect("the rules are sound");
        let kind = |name: &str| match rules.names.types[name] {
            TypeName::Kind(kind) => kind,
            _ => unreachable!("a kind"),
        };
        let field = |k: &str, name: &str| rules.names.fields[&(kind(k), name.to_string())];
        let (side, unit, model, wood, spot) = (kind("Side"), kind("Unit"), kind("Model"), kind("Wood"), kind("Spot"));
        let (of_side, of_unit) = (field("Unit", "side"), field("Model", "unit"));
        let shelter = field("Spot", "shelter");
        // what stands near is the same however much stands farther off
        let mut streams = [Chance(plan.seed.wrapping_add(1_000)), Chance(plan.seed)];
        let mut things: Vec<ThingSpec> = Vec::new();
        let units = plan.models.div_ceil(UNIT);
        for s in 0..2 {
            things.push(ThingSpec::new(side, format!("side{s}")));
        }
        let mut anchors = Vec::new();
        let place = |c: &mut Chance, near: bool| {
            if plan.near == (0, 0) {
                Point::new(3_000 + c.below(plan.size.0 - 16_000), 3_000 + c.below(plan.size.1 - 12_000))
            } else if near {
                Point::new(2_000 + c.below(28_000), 2_000 + c.below(28_000))
            } else {
                let far = Point::new(2_000 + c.below(plan.size.0 - 20_000), 2_000 + c.below(plan.size.1 - 20_000));
                if far.x < 60_000 { far.shifted(60_000, 0) } else { far }
            }
        };
        for u in 0..units {
            let mut spec = ThingSpec::new(unit, format!("unit{u}"));
            spec.values.push((of_side, 0, vec![u as i64 % 2]));
            things.push(spec);
            let near = u * UNIT < plan.near.0;
            let c = &mut streams[usize::from(near)];
            anchors.push(if plan.facing {
                let y = 12_000 + c.below(9_000);
                Point::new(3_000 + c.below(60_000), if u % 2 == 0 { y } else { 48_000 - 1_500 - y })
            } else {
                place(c, near)
            });
        }
        for m in 0..plan.models {
            let mut spec = ThingSpec::new(model, format!("m{m}"));
            // two ranks of five
            let (at, n) = (anchors[m / UNIT], (m % UNIT) as i64);
            spec.at = Some((at.x + n % 5 * 1_500, at.y + n / 5 * 1_500));
            spec.shape = Shape::Disc { radius: 500 };
            spec.values.push((of_unit, 0, vec![(m / UNIT) as i64]));
            things.push(spec);
        }
        for w in 0..plan.woods {
            let mut spec = ThingSpec::new(wood, format!("wood{w}"));
            let c = &mut streams[usize::from(w < plan.near.1)];
            let at = place(c, w < plan.near.1);
            let (a, b) = (2_000 + c.below(3_000), 2_000 + c.below(3_000));
            spec.at = Some((at.x, at.y));
            let corners = [(0, 0), (a, 0), (a + 500, b), (a / 2, b + 900), (-300, b)];
            spec.shape = Shape::Polygon(corners.map(|(x, y)| Point::new(x, y)).into());
            things.push(spec);
        }
        for s in 0..8 {
            let mut spec = ThingSpec::new(spot, format!("spot{s}"));
            let c = &mut streams[1];
            let at = if plan.facing {
                let y = 1_000 + c.below(3_000);
                Point::new(2_000 + c.below(68_000), if s % 2 == 0 { y } else { 48_000 - y })
            } else {
                place(c, true)
            };
            spec.at = Some((at.x, at.y));
            spec.values.push((shelter, 0, vec![1]));
            things.push(spec);
        }
        let setup = Setup { things, size: Some(plan.size), ..Setup::default() };
        let game = set_up(compile(&rules, Detail::Plain), setup).expect("the table is sound");
        World { state: game.start.clone(), models: plan.models, game }
    }

    /// A procedure by its name.
    pub fn proc(&self, name: &str) -> FuncId {
        let found = self.game.program.functions.iter().position(|f| f.name == name);
        FuncId::from(found.expect("it is in the rules"))
    }

    /// Runs a procedure and gives how long it took, in nanoseconds; its effects stay.
    pub fn run(&mut self, func: FuncId, args: &[i64]) -> f64 {
        let mut run = Run::new(&self.game, NoDice, First, NoTrace);
        let start = Instant::now();
        call(&self.game, &mut self.state, &mut run, func, args).expect("a run");
        start.elapsed().as_nanos() as f64
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        self.state.clone_from(&self.game.start);
    }

    /// Whether a unit has fallen back; one whose head sees no spot is gone instead.
    pub fn fell(&self, unit: i64) -> bool {
        let rules = &self.game.program.schema;
        let kind = KindId::from(rules.kinds.iter().position(|k| k.name == "Unit").expect("it is in the rules"));
        let field =
            FieldId::from(rules.fields.iter().position(|f| f.kind == kind && f.name == "fell").expect("a field"));
        self.state.cells[self.game.layout.field(field, unit, 0)] == 1
    }

    /// How many of a unit could not go.
    pub fn stuck(&self, unit: i64) -> i64 {
        let rules = &self.game.program.schema;
        let kind = KindId::from(rules.kinds.iter().position(|k| k.name == "Model").expect("it is in the rules"));
        let field =
            FieldId::from(rules.fields.iter().position(|f| f.kind == kind && f.name == "tally").expect("a field"));
        (0..UNIT as i64).map(|m| self.state.cells[self.game.layout.field(field, unit * UNIT as i64 + m, 0)]).sum()
    }

    /// A model among the first `most`.
    pub fn model(&self, c: &mut Chance, most: usize) -> i64 {
        c.below(self.models.min(most) as i64)
    }
}
