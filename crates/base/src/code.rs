//! The table of diagnostic codes. Each has a page in `docs/diagnostics`, shown by `grognard explain`.

use super::Severity;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! codes {
    ($($name:ident = $code:literal $severity:ident $title:literal, $help:literal;)*) => {
        /// The kind of a diagnostic. `R01` syntax, `R02` names, `R03` types, `R04` effects, `R05` bands and cases,
        /// `R06` clauses, `R07` examples, `R08` scenarios, `R09` errors in a run, `R10` odds, `R11` stored and
        /// reproduced results.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        #[allow(missing_docs)] // each variant is documented by its title in the table
        pub enum Code { $($name),* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// Returns the code as printed, such as `R0201`.
            pub fn id(self) -> &'static str { match self { $(Code::$name => $code),* } }

            /// Returns a short title of the kind.
            pub fn title(self) -> &'static str { match self { $(Code::$name => $title),* } }

            /// Returns the default help line of this kind.
            pub fn help(self) -> &'static str { match self { $(Code::$name => $help),* } }

            /// Returns the default severity of this kind.
            pub fn severity(self) -> Severity { match self { $(Code::$name => Severity::$severity),* } }
        }
    };
}

codes! {
    // ---- text and grammar
    Unreadable   = "R0101" Error "cannot read the file", "check the path, and that the file is UTF-8 text";
    TooLarge     = "R0102" Error "a size limit is exceeded", "split the file or the expression";
    TooDeep      = "R0103" Error "brackets are nested too deeply", "name the inner part with a `let`";
    Syntax       = "R0104" Error "syntax error", "see the language reference for the form of this line";
    UnknownWord  = "R0105" Error "expected an item or a statement", "begin with a word of the language, such as `param`, `rule` or `set`";
    Unclosed     = "R0106" Error "a bracket or block is not closed", "close it before the next item begins";
    Reserved     = "R0107" Error "a reserved word is used as a name", "choose another name";
    CaseLaw      = "R0108" Error "wrong capital or small first letter", "begin types, cases, tests, phases, actions, events and rules with a capital, and values and procs with a small letter";
    NoHeader     = "R0109" Error "expected the header of the file", "begin with `ruleset game/name` or `variant game/name of game/base`";
    StrayCite    = "R0110" Error "a `cite` has no line below it", "put the `cite` directly above the line that it cites";
    BadNumber    = "R0111" Error "invalid number", "write at most 9 digits before the point and 3 after it";

    // ---- files, names
    UnknownName  = "R0201" Error "unknown name", "declare it with a `let`, a parameter, a field or an item";
    UnknownType  = "R0202" Error "unknown type or case", "write one that the rules declare; it begins with a capital";
    UnknownField = "R0203" Error "unknown field", "declare it in the kind, with `let Kind.name` or with `extend kind`";
    AmbiguousCase= "R0204" Error "a case name is ambiguous", "write its type, as in `Sight.Nothing`";
    Twice        = "R0205" Error "a name is declared twice", "remove one declaration, or choose another name";
    Hides        = "R0206" Error "a local name hides another name", "choose another name";
    NoOverride   = "R0207" Error "nothing to override or remove", "declare the name in a ruleset that this one builds on";
    Signature    = "R0208" Error "a replacement has another signature", "keep the parameters and the result of the original";
    OpenItem     = "R0209" Error "an open item is not filled in", "run a ruleset that extends this one and fills in the item";
    NoBase       = "R0210" Error "cannot use the base ruleset", "after `extends` or `of`, write the folder and file below the rules folder";
    ExtendCycle  = "R0211" Error "rulesets extend each other in a circle", "end the chain with a ruleset without `extends`";
    Outside      = "R0212" Error "a path is outside the rules folder", "write a folder and a file below the rules folder, as in `game/edition`";
    NotInVariant = "R0213" Error "not allowed in a variant", "change what the base has; put kinds and new events in an extension";
    Unused       = "R0214" Warning "declared but never used", "use it, or remove it";
    MissingOverride = "R0215" Error "an item of the base is declared again", "write `override` before it to replace the item";
    HeaderPath   = "R0216" Warning "the header does not match the path of the file", "write the folder and the file name in the header";
    NotAnExample = "R0217" Error "not allowed in a file of examples", "move it to the rules file; a file of examples has `example`, `section` and `remove example`";

    // ---- types and units
    WrongType    = "R0301" Error "mismatched types", "see where the name is declared for its type and range";
    Units        = "R0302" Error "inches, degrees and plain numbers are mixed", "write a length with an inch mark, as in 6\"; divide by 1\" to make a number, as in `u.mv / 1\"`";
    Fraction     = "R0303" Error "expected a whole number, found a fraction", "add `rounded down`, `rounded up` or `rounded nearest`";
    Missing      = "R0304" Error "this value can be missing", "add `otherwise ..`, guard it with `if x is some y`, or declare the type with a `?`";
    ShiftedDie   = "R0305" Error "a shifted die can be past the end of its chain", "write `closed(..)` or `open(..)`, or add a `past top` case";
    Arity        = "R0306" Error "wrong number of values", "give one value for each parameter";
    NotOrdered   = "R0307" Error "these values have no order", "declare the enum with `<` between its cases";
    NotCallable  = "R0308" Error "wrong form of call", "write `f(x)` for a value, `test F(x)` for a test, `do f(x)` for a proc, and `run P(x)` for a phase";
    NotACollection = "R0309" Error "this cannot be looped over", "name a list, a range, an enum, a chain, a kind or a group";
    ResultUsed   = "R0310" Error "a test result is used as a condition", "write `.passed` or `.grade` after it";
    PoolNeeded   = "R0311" Error "the individual dice of a sum are not available", "to look at each die, write `roll dice = 3 of d6`";
    NeedType     = "R0312" Error "the type cannot be inferred here", "write the type after the name";
    DieSides     = "R0313" Error "invalid number of sides", "give a die 1 to 1,000,000 sides";
    NotAssignable= "R0314" Error "this cannot be set", "set a `state`, a `link`, a `var` or a shared variable";
    NoCompare    = "R0315" Error "cannot compare these types", "give both sides the same type";
    ReadTogether = "R0316" Warning "dice that are read together are rolled as one", "roll each die with its own name, and combine the numbers";
    Brackets     = "R0317" Error "brackets are missing", "put brackets around the part that belongs together";
    Signed       = "R0318" Warning "a number that is added or subtracted can be negative", "where a negative number makes no sense, write `max(0, ..)`";

    // ---- effects and structure
    Effect       = "R0401" Error "an action is used inside a value", "put it on its own line: `let t = test F(x)`";
    TestWrites   = "R0403" Error "a test changes the table", "only roll and return a result; use a `proc` to change things";
    Interface    = "R0404" Error "a phase variable is not shared", "list it after `shares` in the head of the phase";
    Scope        = "R0405" Error "`end`, `cancel`, `stop` or `return` has nothing to act on", "put it inside the block that it ends";
    Conflict     = "R0406" Error "two special rules replace the same value", "add `over` to one of them";
    Order        = "R0407" Error "rules must come before each other", "remove one `before` or `after`";
    Dead         = "R0408" Warning "this never applies", "remove it, or widen the row above it";
    TallyRead    = "R0409" Error "a rule reads a tally", "use a `state` for a number that rules read";
    EndlessLoop  = "R0410" Warning "a loop can run forever", "add a cost, a limit or an `or stop`";
    NoResult     = "R0411" Error "a path has no result, or two", "end every path with one `pass`, `grade` or `return`";
    Capture      = "R0412" Error "`was` or `earlier` is not allowed here", "use `was` in a move or a scenario step, and `earlier` in a loop";
    Circle       = "R0413" Error "values depend on each other in a circle", "break the circle with a `state` that rules set";
    Late         = "R0414" Error "a single choice comes after other choices", "put single choices above subsets, routes and spots";
    HeaderOnly   = "R0415" Error "`cost`, `needs` or `limit` outside an action head", "put it in the head of an action, before the statements";
    ExplodeAll   = "R0416" Error "dice explode on every face", "exclude at least one face from `explode`";
    GuardOrder   = "R0417" Info "a guard reads what an earlier rule writes", "a guard reads the values from when the event happened";
    ScopeMaybe   = "R0418" Info "the phase of a limit or duration may not be running", "if it is not running, the limit is for the whole run";
    TestPath     = "R0419" Error "a test both passes and grades", "use only `pass when`, only `grade`, or only fields";
    Whom         = "R0420" Warning "a line is about other things than it seems to be", "name the thing";
    Lasting      = "R0421" Warning "an effect does not last or add up as it reads", "write how long it lasts, and whether it adds up";
    AfterDeath   = "R0422" Error "a destroyed thing is changed or acts", "do it before the `destroy`; afterwards, rules can only read the fields, links and last position";
    Vacuous      = "R0423" Info "a condition on all holds for an empty list", "write what applies if the list is empty";
    InTurn       = "R0424" Warning "simultaneous effects happen one after the other", "write the loop inside `all at once { .. }`";

    // ---- bands, cases, tables
    Gap          = "R0501" Error "not all cases are covered", "add the missing case, or a `reading` if the book does not say";
    Overlap      = "R0502" Error "cases overlap", "narrow one of them, or write `match first`";
    TableShape   = "R0503" Error "rows of a table differ in length", "give every row as many cells as the head";
    BandForm     = "R0504" Error "invalid band", "write `1 to 3`, `at least 5`, `over 2`";
    NeedsFirst   = "R0505" Error "cases cannot be proved disjoint", "write `match first`, and end it with `else`";
    Between      = "R0506" Warning "a number between two bands has none, or both", "add it to one band, or write a `reading` if the book does not say";

    // ---- clauses
    UnknownClause= "R0601" Error "unknown clause", "add the clause to `clauses.toml` next to the rules";
    Uncited      = "R0602" Info "an item cites no clause", "add a `cite`, or move a house rule to a variant";
    Uncovered    = "R0603" Warning "no item cites a modeled clause", "write the rule below its paragraph or cite it at the rule, or mark the paragraph `(commentary)` or `(external)`";
    HoleOpen     = "R0604" Warning "a hole has no reading and no decision", "write a `reading` below its paragraph or one that cites it, or the decision: `(decided: WHY)`";
    Register     = "R0605" Error "invalid clause register", "give each `[[clause]]` `id`, `section`, `says` and `status`";

    // ---- examples
    ExampleForm  = "R0701" Error "invalid example", "see the page on examples in the language reference";
    ExampleFails = "R0702" Error "an example does not hold", "fix the rule or the example";
    ExampleRolls = "R0703" Error "an example rolls dice that it does not give", "add the dice after `rolling`, with the name of the roll if there are several; a `chance` needs no dice";
    ExampleError = "R0704" Error "an example ends in an error", "fix the rule: it would cause the same error in play";

    // ---- scenarios
    ScenarioForm = "R0801" Error "invalid TOML", "see the TOML reference; put text in quotes";
    UnknownKey   = "R0802" Error "unknown key in a scenario", "see the keys in the reference of scenarios";
    UnknownThing = "R0803" Error "unknown thing", "declare things with `[Kind.id]` or `[[line]]`";
    BadValue     = "R0804" Error "invalid value in a scenario", "see where the rules declare it for its type and range";
    Unasked      = "R0805" Error "a scripted decision was never made", "remove it, or check its name and subject";
    Unthrown     = "R0806" Error "scripted dice were never rolled", "remove them, or check the roll and its subject";
    Expectation  = "R0807" Error "an expectation fails", "fix the rule or the expectation";
    NoScenario   = "R0808" Error "a scenario runs nothing", "add a `start` or a `[[step]]`";
    ReadRules    = "R0809" Error "the rules of a scenario have errors", "fix the errors of the rules first";
    NeedsOdds    = "R0810" Error "only exact odds can answer this", "run `grognard odds`, or set `mode = \"exact\"` in the scenario";
    OffTable     = "R0811" Error "a thing is off the table", "move it onto the table, or remove its `at`";
    BasesOverlap = "R0812" Error "two bases overlap", "move them apart by the width of their bases";
    SidesCross   = "R0813" Error "the sides of an area cross", "list its corners in order around the area";
    NoFacing     = "R0814" Error "a facing is not from 0° to 360°", "0 is up, 90 right, 180 down, 270 left";
    FewCorners   = "R0815" Error "an area has fewer than three corners", "list at least three corners; for a straight piece, give a `length`";
    NoLength     = "R0816" Error "a straight piece has no length", "give it a `length` above 0, or no `length` for a point";
    Contradict   = "R0817" Error "two keys of a thing contradict each other", "remove one of them";

    NeverAsked   = "R0818" Error "a player makes no decision", "name the link to the player as `owner` of the kind";
    NoPlace      = "R0819" Warning "a thing on the board has no position", "give it `at = [x, y]`, or `off = true`";
    NoFront      = "R0820" Info "a thing with a front has no facing", "give it `facing`, in degrees: 0 is up, 90 right";

    // ---- errors in a run
    EmptyMenu    = "R0901" Error "nothing to choose from", "add `or none`, `or stop`, or a `when`";
    Script       = "R0902" Error "the script has no valid answer", "add or fix the `[[decide]]` or `[dice]` entry for this decision";
    RunConflict  = "R0903" Error "two special rules give a value different numbers", "add `over` to one of them";
    LawBroken    = "R0904" Error "a law is broken", "fix the rule that made the last change";
    OutOfBounds  = "R0905" Error "a number is out of its bounds", "check the number before you use it";
    DivideByZero = "R0906" Error "division by zero", "guard it with an `if`";
    Overflow     = "R0907" Error "a number is too large", "keep stored numbers from -2,147,483,648 to 2,147,483,647";
    ListFull     = "R0908" Error "a list is full", "reserve more entries in the scenario, at most 10,000: `reserve = { list = 200 }`, or `{ Kind = 40 }` for lists of things";
    NoReserve    = "R0909" Error "no more things of this kind can be created", "raise `reserve` in the scenario";
    Unset        = "R0910" Error "a stat has no value", "set it in the scenario, or give it a default in its kind";
    Fuel         = "R0911" Error "a run takes too many steps", "check for a loop that never ends, or raise `fuel` in the scenario";
    Depth        = "R0912" Error "calls are nested too deeply", "check for a rule that calls itself forever";
    TooManyDice  = "R0913" Error "too many dice, or too many sides", "roll at most 10,000 dice of at most 1,000,000 sides; exact odds distinguish at most 1,000,000 results and 131,072 lists of dice";
    LongMove     = "R0914" Error "the search for a move takes too long", "give the move a maximum length, make the `grid` coarser, or raise `fuel` in the scenario";
    TreeCircle   = "R0915" Error "a tree link leads back to its start", "give each thing of a `tree` one parent or none, and no circle";
    OutOfPlay    = "R0916" Error "a thing that is out of play changes or acts", "first check whether it is `alive`";

    // ---- odds
    Budget       = "R1001" Error "too many states to explore", "raise `--budget` or `--time`, ask for less, or use runs";
    NoObjective  = "R1002" Error "a player optimizes, but there is no objective", "add an `objective` to the scenario, or use `--of`";
    NeverGiven   = "R1003" Error "the condition after `given` never holds", "check the condition";
    FreePlace    = "R1004" Warning "a free position affects the result", "give its player a policy, or accept the result on the grid";
    NoEnd        = "R1005" Error "a count has no end", "give the game an end, such as `repeat = \"until red.won or rounds == 50\"`, or count something else";
    Astray       = "R1006" Error "a decision can lead to an error", "fix the rules there, or remove the entry from the menu with `when`, `where` or `needs`";

    // ---- results
    BadReceipt   = "R1101" Error "not a receipt", "write one with `--receipt FILE` after `run`, `simulate` or `compare`";
    Differs      = "R1102" Error "a replay has another output", "undo what has changed, or write a new receipt";
    BadPlan      = "R1103" Error "invalid plan of a sweep", "use the keys `scenarios`, `rules`, `measures`, `grid`, `mode`, `budget`, `runs`, `seed` and `level`";
    BadJournal   = "R1104" Error "the journal belongs to another sweep", "name another file, or delete the journal to start again";
    BadManifest  = "R1105" Error "invalid project file", "see docs/project.md for the keys of `grognard.toml`";
}

impl Code {
    /// Returns the code printed as `id`. The case of letters does not matter.
    pub fn of(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|c| c.id().eq_ignore_ascii_case(id))
    }
}

impl From<Code> for String {
    fn from(code: Code) -> String {
        code.id().to_string()
    }
}

impl TryFrom<String> for Code {
    type Error = String;

    fn try_from(id: String) -> Result<Code, String> {
        Code::of(&id).ok_or_else(|| format!("there is no code `{id}`"))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
