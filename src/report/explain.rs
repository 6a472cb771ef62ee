//! The page of each code: what it means, why it matters, and a bad and a good piece of rules.

use crate::base::Code;

macro_rules! pages {
    ($($name:ident = $id:literal),* $(,)?) => {
        /// The page of a code, as Markdown.
        pub fn explain(code: Code) -> &'static str {
            // No catch-all: a new code without a page does not compile.
            match code {
                $(Code::$name => include_str!(concat!("../../docs/diagnostics/", $id, ".md")),)*
            }
        }
    };
}

pages! {
    Unreadable = "R0101",
    TooLarge = "R0102",
    TooDeep = "R0103",
    Syntax = "R0104",
    UnknownWord = "R0105",
    Unclosed = "R0106",
    Reserved = "R0107",
    CaseLaw = "R0108",
    NoHeader = "R0109",
    StrayCite = "R0110",
    BadNumber = "R0111",
    UnknownName = "R0201",
    UnknownType = "R0202",
    UnknownField = "R0203",
    AmbiguousCase = "R0204",
    Twice = "R0205",
    Hides = "R0206",
    NoOverride = "R0207",
    Signature = "R0208",
    OpenItem = "R0209",
    NoBase = "R0210",
    ExtendCycle = "R0211",
    Outside = "R0212",
    NotInVariant = "R0213",
    Unused = "R0214",
    MissingOverride = "R0215",
    HeaderPath = "R0216",
    WrongType = "R0301",
    Units = "R0302",
    Fraction = "R0303",
    Missing = "R0304",
    ShiftedDie = "R0305",
    Arity = "R0306",
    NotOrdered = "R0307",
    NotCallable = "R0308",
    NotACollection = "R0309",
    ResultUsed = "R0310",
    PoolNeeded = "R0311",
    NeedType = "R0312",
    DieSides = "R0313",
    NotAssignable = "R0314",
    NoCompare = "R0315",
    Effect = "R0401",
    TestWrites = "R0403",
    Interface = "R0404",
    Scope = "R0405",
    Conflict = "R0406",
    Order = "R0407",
    Dead = "R0408",
    TallyRead = "R0409",
    EndlessLoop = "R0410",
    NoResult = "R0411",
    Capture = "R0412",
    Circle = "R0413",
    Late = "R0414",
    HeaderOnly = "R0415",
    ExplodeAll = "R0416",
    GuardOrder = "R0417",
    ScopeMaybe = "R0418",
    TestPath = "R0419",
    Gap = "R0501",
    Overlap = "R0502",
    TableShape = "R0503",
    BandForm = "R0504",
    NeedsFirst = "R0505",
    UnknownClause = "R0601",
    Uncited = "R0602",
    Uncovered = "R0603",
    HoleOpen = "R0604",
    Register = "R0605",
    ExampleForm = "R0701",
    ExampleFails = "R0702",
    ExampleRolls = "R0703",
    ExampleError = "R0704",
    ScenarioForm = "R0801",
    UnknownKey = "R0802",
    UnknownThing = "R0803",
    BadValue = "R0804",
    Unasked = "R0805",
    Unthrown = "R0806",
    Expectation = "R0807",
    NoScenario = "R0808",
    ReadRules = "R0809",
    NeedsOdds = "R0810",
    OffTable = "R0811",
    BasesOverlap = "R0812",
    SidesCross = "R0813",
    NoFacing = "R0814",
    FewCorners = "R0815",
    NoLength = "R0816",
    EmptyMenu = "R0901",
    Script = "R0902",
    RunConflict = "R0903",
    LawBroken = "R0904",
    OutOfBounds = "R0905",
    DivideByZero = "R0906",
    Overflow = "R0907",
    ListFull = "R0908",
    NoReserve = "R0909",
    Unset = "R0910",
    Fuel = "R0911",
    Depth = "R0912",
    TooManyDice = "R0913",
    Budget = "R1001",
    NoObjective = "R1002",
    NeverGiven = "R1003",
    FreePlace = "R1004",
    BadReceipt = "R1101",
    Differs = "R1102",
    BadPlan = "R1103",
    BadJournal = "R1104",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_that_of_its_code() {
        for code in Code::ALL {
            let page = explain(*code);
            let head = format!("# {}: {}", code.id(), code.title());
            assert_eq!(page.lines().next(), Some(head.as_str()));
            assert!((8..=60).contains(&page.lines().count()), "{code} is {} lines", page.lines().count());
            let fences = page.lines().filter(|line| line.starts_with("```")).count();
            assert!(fences >= 2 && fences % 2 == 0, "{code} has {fences} fences");
            let has = |tag: &str| page.lines().any(|line| line.starts_with(&format!("```{tag}")));
            let both = |tag: &str| has(&format!("{tag} bad")) && has(&format!("{tag} good"));
            let shown = ["rules", "toml", "console"].into_iter().any(both) || has("text");
            assert!(shown, "{code} shows nothing");
        }
    }

    #[test]
    fn there_is_no_page_without_a_code() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/diagnostics");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let id = name.strip_suffix(".md").unwrap();
            assert!(Code::of(id).is_some(), "{name}");
        }
    }
}
