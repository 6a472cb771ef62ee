//! The table of diagnostic codes. Each has a page in `docs/diagnostics`, shown by `grognard explain`.

use super::Severity;
use std::fmt;

macro_rules! codes {
    ($($name:ident = $code:literal $severity:ident $title:literal, $help:literal;)*) => {
        /// The kind of a diagnostic. `R01` syntax, `R02` names, `R03` types, `R04` effects, `R05` bands and cases,
        /// `R06` clauses, `R07` examples, `R08` scenarios, `R09` errors in a run, `R10` odds, `R11` stored and
        /// reproduced results.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    Unreadable   = "R0101" Error "file cannot be read", "check the path and that the file is plain UTF-8 text";
    TooLarge     = "R0102" Error "a size limit is passed", "split the file or the expression";
    TooDeep      = "R0103" Error "brackets nest too deep", "name the inner part with a `let`";
    Syntax       = "R0104" Error "the text does not parse", "see the language reference for the form of this line";
    UnknownWord  = "R0105" Error "no item or statement begins like this", "items and statements begin with a word of the language";
    Unclosed     = "R0106" Error "a bracket or block is not closed", "close it before the next item begins";
    Reserved     = "R0107" Error "a reserved word is used as a name", "call it something else";
    CaseLaw      = "R0108" Error "capital and small letters are mixed up", "types, cases, tests, phases, actions, events and rules begin with a capital; values and procs do not";
    NoHeader     = "R0109" Error "the file does not begin with its header", "begin with `ruleset game/name` or `variant game/name of game/base`";
    StrayCite    = "R0110" Error "a cite stands above nothing", "put the `cite` on the line directly above what it cites";
    BadNumber    = "R0111" Error "a number cannot be written like this", "at most 9 digits before the point and 3 after";

    // ---- files, names
    UnknownName  = "R0201" Error "a name is not known here", "names are declared by a `let`, a parameter, a field or an item";
    UnknownType  = "R0202" Error "a type or case is not known", "write one that the rules declare; they begin with a capital";
    UnknownField = "R0203" Error "there is no such field", "fields are declared in the kind, by `let Kind.name` or by `extend kind`";
    AmbiguousCase= "R0204" Error "a case name could mean two things", "write which, as in `Sight.Nothing`";
    Twice        = "R0205" Error "a name is declared twice", "take one of them away, or choose another name";
    Hides        = "R0206" Error "a local name hides another", "call it something else";
    NoOverride   = "R0207" Error "there is nothing to override or remove", "the name must be declared by a ruleset below this one";
    Signature    = "R0208" Error "a replacement differs in its head", "keep the parameters and the result of what is replaced";
    OpenItem     = "R0209" Error "an open item is not filled in", "run a ruleset that extends this one and fills it in";
    NoBase       = "R0210" Error "the ruleset below cannot be used", "the path of `extends` or `of` is the folder and file under the rules root";
    ExtendCycle  = "R0211" Error "rulesets extend each other in a circle", "a chain of `extends` must end at a ruleset without one";
    Outside      = "R0212" Error "a path names no file under the rules root", "paths name a folder and a file under the rules root, as in `game/edition`";
    NotInVariant = "R0213" Error "a variant may not do this", "variants change what is there; kinds and new events belong in an extension";
    Unused       = "R0214" Warning "something is declared and never used", "use it or take it out";
    MissingOverride = "R0215" Error "an item of the base is declared again", "write `override` in front to replace it";
    HeaderPath   = "R0216" Warning "header and place of the file differ", "the header names folder and file";

    // ---- types and units
    WrongType    = "R0301" Error "a value of another type is wanted", "the rules declare which values fit here";
    Units        = "R0302" Error "inches, degrees and plain numbers are mixed", "a length is written with an inch mark, as in 6\"; a length over a length, as in `u.mv / 1\"`, is a plain fraction";
    Fraction     = "R0303" Error "a fraction stands where a whole number is wanted", "say `rounded down` or `rounded up`";
    Missing      = "R0304" Error "there may be nothing here", "add `otherwise ...`, guard it with `if x is some y`, or let it give a type with a `?`";
    ShiftedDie   = "R0305" Error "a die may be past the end of its chain", "say `closed(...)`, `open(...)`, or give a `past top` case";
    Arity        = "R0306" Error "too few or too many values are given", "give one value for each parameter";
    NotOrdered   = "R0307" Error "these values have no order", "declare the enum with `<` between its cases";
    NotCallable  = "R0308" Error "this cannot be called like that", "a value is f(x), a test `test F(x)`, a proc `do f(x)`, a phase `run P(x)`";
    NotACollection = "R0309" Error "this cannot be gone through", "a list, a range, an enum, a chain, a kind or a group is wanted";
    ResultUsed   = "R0310" Error "a test result is used as a condition", "ask for `.passed` or `.grade`";
    PoolNeeded   = "R0311" Error "a sum of dice is asked for its dice", "to look at each die write `roll dice = 3 of d6`";
    NeedType     = "R0312" Error "the type cannot be told from here", "write the type after the name";
    DieSides     = "R0313" Error "there is no such die", "dice have 1 to 1,000,000 sides";
    NotAssignable= "R0314" Error "this cannot be set", "`set` goes to a `state`, a `link`, a `var` or a shared variable";
    NoCompare    = "R0315" Error "these two cannot be compared", "both sides must be of one type";
    ReadTogether = "R0316" Warning "dice that are read together are taken for one", "throw each die by a name of its own, and put the number together";
    Brackets     = "R0317" Error "brackets are missing", "set brackets around what belongs together";
    Signed       = "R0318" Warning "a number that is added or taken away may be below 0", "where a minus means nothing, write `max(0, ..)`";

    // ---- effects and structure
    Effect       = "R0401" Error "something that happens stands inside a value", "put it on a line of its own: `let t = test F(x)`";
    TestWrites   = "R0403" Error "a test changes the table", "tests roll and ask; a `proc` changes things";
    Interface    = "R0404" Error "a phase variable is not shared", "name it under `shares` in the head of the phase";
    Scope        = "R0405" Error "`end`, `cancel`, `stop` or `return` has nothing to act on", "it must stand inside what it ends";
    Conflict     = "R0406" Error "two special rules replace the same value", "let one of them say `over` the other";
    Order        = "R0407" Error "rules ask to come before each other", "take one `before` or `after` out";
    Dead         = "R0408" Warning "this can never apply", "take it out or widen what stands above it";
    TallyRead    = "R0409" Error "a rule reads a tally", "a tally is only counted; a number that rules read is a `state`";
    EndlessLoop  = "R0410" Warning "a loop may never end", "give it a cost, a limit or an `or stop`";
    NoResult     = "R0411" Error "a path gives no result, or two", "every path ends in one `pass`, `grade` or `return`";
    Capture      = "R0412" Error "`was` or `earlier` stands out of place", "`was` looks back over a move or a scenario step, `earlier` over a loop";
    Circle       = "R0413" Error "values depend on each other in a circle", "break the circle with a `state` that rules set";
    Late         = "R0414" Error "a choice in a header comes too late", "put single choices above subsets, routes and spots";
    HeaderOnly   = "R0415" Error "`cost`, `needs` or `limit` stands in the wrong place", "they belong to the head of an action, before what it does";
    ExplodeAll   = "R0416" Error "dice explode on every face", "let at least one face not explode";
    GuardOrder   = "R0417" Info "a guard looks at what an earlier rule on the same event writes", "guards see the moment the event happened";
    ScopeMaybe   = "R0418" Info "the phase of a limit or duration may not be running", "then the limit is for the whole run";
    TestPath     = "R0419" Error "a test both passes and grades", "a test has `pass when`, `grade`, or fields only";
    Whom         = "R0420" Warning "a line speaks of other things than it seems to", "say which thing is meant";
    Lasting      = "R0421" Warning "an effect lasts or adds up otherwise than it reads", "say how long it lasts, and whether it adds up";
    AfterDeath   = "R0422" Error "a destroyed thing is changed or acts", "do it before the `destroy`; figures, links and the last place of a destroyed thing can still be read";
    Vacuous      = "R0423" Info "a condition on all of them holds where there are none", "say what counts where there are none";
    InTurn       = "R0424" Warning "what happens at the same time is done one after the other", "write the loop inside `all at once { .. }`";

    // ---- bands, cases, tables
    Gap          = "R0501" Error "not every value has a case", "add the missing case (a `reading` if the book is silent)";
    Overlap      = "R0502" Error "a value has two cases", "narrow one of them, or write `match first`";
    TableShape   = "R0503" Error "a table is ragged", "every row has as many cells as the head";
    BandForm     = "R0504" Error "a band cannot be read", "write `1 to 3`, `at least 5`, `over 2`";
    NeedsFirst   = "R0505" Error "cases cannot be told apart before the game", "write `match first` and end with `else`";
    Between      = "R0506" Warning "a number between two bands has none, or both", "give it to one of them (a `reading` if the book is silent)";

    // ---- clauses
    UnknownClause= "R0601" Error "no such clause in the register", "clauses are listed in `clauses.toml` beside the rules";
    Uncited      = "R0602" Info "an item cites no clause", "house rules go in a variant";
    Uncovered    = "R0603" Warning "a clause marked modelled is cited by nothing", "cite it where it is carried out, or change its status";
    HoleOpen     = "R0604" Warning "a hole has neither a reading nor a decision", "write a `reading` that cites it, or `decided = \"...\"` in the register";
    Register     = "R0605" Error "the clause register has a fault", "each `[[clause]]` has `id`, `section`, `says` and `status`";

    // ---- examples
    ExampleForm  = "R0701" Error "an example is not well formed", "see the reference under Example";
    ExampleFails = "R0702" Error "an example does not hold", "mend the rule or the example";
    ExampleRolls = "R0703" Error "an example throws dice it does not give", "give its dice behind `rolling`, by the name of the roll where there are several; where only a `chance` is claimed none are needed";
    ExampleError = "R0704" Error "an example ends in an error", "the error is what the rule would do in play";

    // ---- scenarios
    ScenarioForm = "R0801" Error "the scenario file is not valid TOML", "see the TOML reference; strings stand in quotes";
    UnknownKey   = "R0802" Error "a key of the scenario is not known", "see the table of scenario keys";
    UnknownThing = "R0803" Error "no such thing on the table", "things are declared by `[Kind.id]` or `[[line]]`";
    BadValue     = "R0804" Error "a value of the scenario does not fit", "the rules declare which values fit here";
    Unasked      = "R0805" Error "a scripted decision was never asked", "take it out or check its name and subject";
    Unthrown     = "R0806" Error "scripted dice were never thrown", "take them out or check the roll and its subject";
    Expectation  = "R0807" Error "an expectation does not hold", "mend the rule or the expectation";
    NoScenario   = "R0808" Error "the scenario has nothing to run", "give it a `start` or a `[[step]]`";
    ReadRules    = "R0809" Error "the rules of a scenario have errors", "mend what is found in them";
    NeedsOdds    = "R0810" Error "only exact odds can answer this", "ask `grognard odds`, or give the scenario `mode = \"exact\"`";
    OffTable     = "R0811" Error "a model stands off the table", "bring it back onto the table, or leave out its `at`";
    BasesOverlap = "R0812" Error "two bases overlap", "put them as far apart as their bases are wide";
    SidesCross   = "R0813" Error "the sides of an area cross", "give its corners in the order one meets them going round it";
    NoFacing     = "R0814" Error "a facing is not from 0 to 360 degrees", "0 is up, 90 right, 180 down, 270 left";
    FewCorners   = "R0815" Error "an area has fewer than three corners", "give three corners or more; a straight piece has a `length` instead";
    NoLength     = "R0816" Error "a straight piece has no length", "give it a `length` above 0; without one it is a point";
    Contradict   = "R0817" Error "two keys of a thing contradict each other", "keep one of them";

    NeverAsked   = "R0818" Error "a player is never asked", "name the link to the player as `owner` of the kind";
    NoPlace      = "R0819" Warning "a thing of the board has no place", "give it `at = [x, y]`, or `off = true`";
    NoFront      = "R0820" Info "a thing whose front counts has no facing", "give it `facing`, in degrees: 0 is up, 90 right";

    // ---- errors in a run
    EmptyMenu    = "R0901" Error "there is nothing to choose from", "add `or none`, `or stop`, or a `when`";
    Script       = "R0902" Error "the script has no answer, or an impossible one", "add or mend the `[[decide]]` or `[dice]` entry for this place";
    RunConflict  = "R0903" Error "two special rules give one value different figures", "let one of them say `over` the other";
    LawBroken    = "R0904" Error "a law does not hold any more", "mend the rule that wrote last";
    OutOfBounds  = "R0905" Error "a number is out of its bounds", "check the figure before it is used";
    DivideByZero = "R0906" Error "a division by zero", "guard it with an `if`";
    Overflow     = "R0907" Error "a number grows too large", "numbers in slots, names and lists go from -2,147,483,648 to 2,147,483,647";
    ListFull     = "R0908" Error "a list is full", "a scenario can make room, up to 10,000: `reserve = { list = 200 }`, or `{ Kind = 40 }` for lists of things";
    NoReserve    = "R0909" Error "no more things of this kind can be made", "raise `reserve` in the scenario";
    Unset        = "R0910" Error "a stat has no value", "give it in the scenario, or a default in its kind";
    Fuel         = "R0911" Error "the run takes too many steps", "a loop may never end; `fuel` in the scenario raises the limit";
    Depth        = "R0912" Error "calls nest too deep", "a rule may call itself for ever";
    TooManyDice  = "R0913" Error "too many dice, or too many sides", "at most 10,000 dice of 1,000,000 sides; odds tell a million results apart, and 131,072 lists of dice";
    LongMove     = "R0914" Error "a move takes too long to be found", "say how far it goes at most, or make the `grid` coarser; `fuel` in the scenario raises the limit";
    TreeCircle   = "R0915" Error "a tree link leads back to where it began", "a thing of a `tree` has one above it, or none, and never itself further up";
    OutOfPlay    = "R0916" Error "a thing that is out of play changes or acts", "ask whether it is `alive` before";

    // ---- odds
    Budget       = "R1001" Error "there is more than may be explored", "raise `--budget` or `--time`, ask for less, or sample";
    NoObjective  = "R1002" Error "a player looks for the best or the worst of nothing", "give the scenario an `objective`, or ask with `--of`";
    NeverGiven   = "R1003" Error "what is given never holds", "check the condition after `given`";
    FreePlace    = "R1004" Warning "a free position decides the answer", "give its player a policy, or take it as the answer on the grid";
    NoEnd        = "R1005" Error "what is counted has no end", "give the game an end, such as `repeat = \"until red.won or rounds == 50\"`, or count something else";
    Astray       = "R1006" Error "a decision can lead to an error", "fix the rules there, or take the entry off the menu by a `when`, `where` or `needs`";

    // ---- results
    BadReceipt   = "R1101" Error "this is no receipt", "`--receipt FILE` behind run, simulate or compare writes one";
    Differs      = "R1102" Error "a replay prints something else", "put back what has changed, or make the result anew";
    BadPlan      = "R1103" Error "the plan of a sweep has a fault", "a plan has `scenarios`, `rules`, `measures`, `grid`, `mode`, `budget`, `runs`, `seed` and `level`";
    BadJournal   = "R1104" Error "this journal is not of this sweep", "name another file, or delete the journal to begin anew";
    BadManifest  = "R1105" Error "the project file has a fault", "`grognard.toml` is described in docs/project.md";
}

impl Code {
    /// Returns the code printed as `id`. The case of letters does not matter.
    pub fn of(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|c| c.id().eq_ignore_ascii_case(id))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
