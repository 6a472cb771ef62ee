// Messages between the page and the engine: JSON-RPC 2.0, the Language Server Protocol for texts, and the requests below.
// docs/studio-engine.md describes them in prose.
//
// A text is named by its path below the rules root, such as `warstrike/core.rules`; the LSP calls the same text `file:///warstrike/core.rules`.
// Open texts are sent by `textDocument/didOpen` and `didChange`, all others that differ from the shipped ones by `grognard/put`.
// All params contain `revision`, and the answer repeats it. Empty and unknown fields can be omitted.

export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }
/** A place in a text. */
export interface Place { path: string; range: Range }

/** Values of dials, as texts that a scenario file could contain: `{ params: { hit_on: "5" }, readings: { at_half: "StandsFirm" } }`. */
export interface Settings { params: Record<string, string>; readings: Record<string, string> }

/** `grognard/books {}`: the shipped books, or the content of the folder. */
export interface Books { version: string; books: Book[] }
export interface Book { name: string; title: string; files: string[]; scenarios: { path: string; title: string; rules: string }[] }

/** `grognard/text { path }`: a current text, or `null` if it does not exist. `shipped`: the original of the program. */
export interface Text { text: string | null; shipped?: string }

/** `grognard/put { path, text }`: sets a text that is not open; `text: null` deletes it. The answer is `{}`. */

/** `grognard/explain { code }`: the page of a code such as R0104, as Markdown. */
export interface Explained { text: string }

/** A chance or a mean with its certainty. */
export interface Chance {
  /** How the number was found. */
  label: 'exact' | 'proven' | 'bounded' | 'sampled';
  /** The exact value as a fraction, such as `53/108`. */
  fraction?: string;
  /** A chance between 0 and 1, or a mean. */
  estimate: number;
  low?: number;
  high?: number;
  /** Sample size of a sampled number. */
  runs?: number;
}
/** One value of a distribution. */
export interface Bar { value: string; chance: Chance }
/** The odds of one measure. */
export interface Measure {
  measure: string;
  /** The title in the rules, if there is one. */
  title?: string;
  sort: 'chance' | 'mean' | 'outcome';
  /** For `chance`, the chance that it holds; for `mean`, the mean. */
  value?: Chance;
  /** The distribution. */
  bars?: Bar[];
  /** The method, such as `exact, 8 states explored` or `sampled, from 10000 runs`. */
  how?: string;
}

/**
 * `grognard/odds { path, settings, texts? }`: the odds in the margin of a text. The settings apply to tests and procs; an example uses the book as it is written. A text that leaves items open is evaluated in rules that supply them. `texts` replace those of the workspace.
 * Notifications `grognard/progress` send parts of it earlier.
 */
export interface Odds { lenses: Lens[]; /** number of lenses that are not computed yet */ open: number }
export interface Lens {
  /** Stable while the item keeps its name. */
  id: string;
  range: Range;
  title: string;
  sort: 'test' | 'proc' | 'example';
  /** The arguments that the odds are for: `Check(u) with ld 2, nv 3`. */
  at?: string;
  measures: Measure[];
  /** For an example: whether it holds. */
  holds?: boolean;
  /** The reason why there are no odds. */
  why?: string;
}

/** `grognard/dice { text }`: the odds of a line of the dice box, its form in the language, its description, and notes on what else it can mean. */
export interface Rolled { form: string; words: string; notes: string[]; measures: Measure[] }
/** `grognard/cards {}`: the forms of the language, first those that a first game needs. */
export interface Card { word: string; form?: string; /** `proc` or `kind`; without it, the snippet belongs on the top level of a file. */ in?: string; says: string; more: string; snippet?: string }
/** `grognard/gallery {}`: the games of the gallery. */
export interface Game { name: string; title: string; mechanism: string; question: string; answer: string; learn: string; source: string; scenario: string }
/** `grognard/copy { of, folder }` and `grognard/rule { text, folder }`: the texts of a new game with its rules and its first scenario. */
export interface NewGame { path: string; scene: string; texts: Record<string, string> }

/** `grognard/distribution { path, lens, scene, settings }`: all odds of one lens. */
export interface DistributionAnswer {
  title: string;
  at?: string;
  measures: Measure[];
  params?: { name: string; title: string; value: string; place?: Place }[];
  readings?: { name: string; title: string; value: string; place?: Place }[];
  clauses?: Clause[];
  /** The answer as text. */
  text?: string;
  finding?: { answers?: { measure: string; outcomes: { value: unknown }[]; why?: { label: string; rolls: SwingFacts[] | null; readings: { name: string; probability: string }[] } }[] };
}
/** The effect of a roll on a measure, as fractions: how far it moves the mean, the range, and its share of the variance. */
export interface SwingFacts { name: string; of: string; moves: string; least: string | null; greatest: string | null; share: string }
export interface Clause { id: string; says: string; place?: Place }

/** `grognard/outlook { path, settings, runs?, seed?, texts? }`: the report of a scenario, exact if possible and sampled otherwise. */
export interface Outlook { measures: Measure[]; runs?: number; asked?: number; faults?: number; fault?: string; /** Warnings about exact odds: runs that never end, or end in an error. */ notes?: string[]; text?: string; /** The distributions: `outcomes` of exact odds, `figures` of a sample. */ finding?: { answers?: { measure: string; outcomes?: Valued[] }[]; figures?: { measure: string; values?: Valued[] }[] } }
/** One value of a distribution, as a finding writes it. */
export interface Valued { value: unknown; estimate: number; fraction?: string | null; low?: number; high?: number }

/** `grognard/test { path, settings }`: the expectations of a scenario, judged as in `grognard test`. */
export interface Tested { checks: Check[]; /** Errors that belong to no expectation. */ faults: string[] }
/** `holds` is absent if the expectation was not checked, `why` if it holds. */
export interface Check { text: string; holds?: boolean; step?: number | null; why?: string | null; place?: Place }

/** `grognard/dials { path, settings, texts? }` of a ruleset or a scenario; `texts` replace those of the workspace. */
export interface Dials { params: ParamDial[]; readings: ReadingDial[] }
export interface ParamDial {
  name: string;
  title: string;
  /** The current value: from the settings, else from the scenario, else from the book. */
  value: string;
  /** The value in the rules. */
  book: string;
  /** The value in the scenario, if it sets one. */
  scenario?: string;
  sweep: string[];
  /** `"` for lengths, `°` for angles, `%`. */
  unit?: string;
  place?: Place;
  clauses?: Clause[];
  /** Titles and places of the rules that use it. */
  used?: { title: string; place: Place; clauses?: Clause[] }[];
}
export interface ReadingDial {
  name: string;
  title: string;
  value: string;
  book: string;
  scenario?: string;
  alternatives: { name: string; title: string }[];
  because?: string;
  place?: Place;
  clauses?: Clause[];
}

/** `grognard/variant { path, settings, name, title }`: the text of a variant file that contains the settings. */
export interface Variant { path: string; text: string }

/** `grognard/table { path, settings, texts? }`: the start of a scenario. Lengths are thousandths of an inch, angles hundredths of a degree. */
export interface Table {
  width: number;
  height: number;
  areas: Area[];
  barriers: { id: string; title: string; points: [number, number][]; height?: number }[];
  units: Unit[];
  /** The kinds of the rules, with the fields that a scenario can set. Absent during a run. */
  kinds?: KindInfo[];
  /** Whether the rules query line of sight. */
  sight?: boolean;
}
/** `board`: whether its things have a position. `needed`: whether the rules have no value for the field. */
export interface KindInfo { name: string; board: boolean; fields: { name: string; title: string; needed: boolean; choices?: string[]; low?: number; high?: number }[] }
export interface Area { id: string; title: string; points: [number, number][]; sort?: string }
export interface Unit {
  id: string;
  title: string;
  kind: string;
  /** The player that decides for it. */
  side: string;
  /** The unit that a model belongs to. */
  of?: string;
  /** The same for all units that one line of the scenario places; they move together. */
  line?: number;
  /** For a unit in such a line: whether it has a separate entry too. */
  own?: boolean;
  /** Absent if it is not on the table. */
  x?: number;
  y?: number;
  facing?: number;
  base: { round?: number; points?: [number, number][] };
  alive: boolean;
  figures: Figure[];
  statuses: string[];
}
export interface Figure { name: string; title: string; value: string; /** False for a computed value. */ given?: boolean; choices?: string[]; low?: number; high?: number }

/** `grognard/sight { path, settings, unit }`: whether a unit sees each other unit and model. */
export interface Looked { unit: string; seen: Seen[] }
export interface Seen {
  to: string;
  sees: boolean;
  /** A clear line, else the straight one. */
  line: [[number, number], [number, number]];
  /** Where a blocked line ends, and the names of everything that blocks it. */
  stop?: [number, number];
  by?: string[];
}

/** `grognard/edit { path, edits }`: the text of the scenario after moves and changed values. */
export type Edit = { unit: string; x: number; y: number } | { unit: string; facing: number } | { unit: string; figure: string; value: string };
/** `tree`: the entries of the text; `null` if it cannot be read. */
export interface Edited { text: string; tree: Entry[] | null }
/** An entry of a scenario. `at` is the place of its key in bytes; `null` if it belongs to the scenario below. */
export interface Entry { key: string; at: [number, number] | null; node: Node }
export interface Node { at: [number, number] | null; text?: string; list?: Node[]; table?: Entry[] }

/** `grognard/menu { path, settings, unit, play? }`: the available actions of a unit, and the reasons why the others are unavailable. */
export interface Menu { offered: Offer[]; refused: Refusal[]; /** The first decision, and who makes it. */ asked?: string; who?: string }
export interface Offer { title: string; call: string; place?: Place; clauses?: Clause[] }
export interface Refusal extends Offer { reason: string }

/**
 * `grognard/play { path, settings, seed, script, byHand?, as? }`: the run that these answers produce, up to the next question.
 * The script is the only state: to go back, send a shorter script.
 */
export interface PlayParams {
  path: string;
  settings: Settings;
  seed?: number;
  script: Answer[];
  /** Asks before each roll too. */
  byHand?: boolean;
  /** Players that the user decides for; the others play as the scenario says. If absent: all players. */
  as?: string[];
}
/**
 * One answer: an option by its line, dice by their faces, or `auto` for the default of the rules. `roll: []` rolls dice at random
 * and fits no decision. The value of `auto` makes no difference: `false` marks an answer that the page gave for others.
 * `asked` identifies the question, as in `Waiting`; the answer fits no other question.
 */
export type Answer = ({ choose: string } | { roll: string[] } | { auto: boolean }) & { asked?: string };
export interface Played {
  events: TraceLine[];
  /** The story of the run. `n` of a line is the last event that it shows. */
  story: TraceLine[];
  /** Number of events that each answer of the script produced; one entry more than the script, for the start. */
  marks: number[];
  /** Seed of the dice: the requested one, else that of the scenario. */
  seed: number;
  waits?: Waiting;
  ended: boolean;
  /** The first answer of the script that no longer fits, and why; the run ends before it. */
  misfit?: { at: number; why: string };
  /** A fault of the run, as text. */
  fault?: string;
  table?: Table;
  /** Values of the report at this point. */
  report?: { measure: string; value: string }[];
}
export interface TraceLine {
  n: number;
  depth: number;
  /** The kind of event as in machine-readable traces: enter, roll, write, decision, moved, step … docs/traces.md describes them. */
  event: string;
  /** The line as `run` prints it, without clause and indent; empty if a brief trace omits it. */
  text: string;
  title?: string;
  clauses?: Clause[];
  place?: Place;
  /** The rule, proc or action in which it happened. */
  rule?: string;
  /** Things on the table that it affects. */
  touches?: string[];
  /** New positions of units. */
  moved?: { unit: string; x: number; y: number; facing?: number }[];
  /** Changed values; one without a unit belongs to the table. */
  wrote?: { unit?: string; figure: string; before: string; after: string }[];
  dice?: { name: string; die: string; faces: string[] };
  /** Whether a gap in the book decided something. */
  gap?: boolean;
  /** Whether a stand-in made the line of a story. */
  standIn?: boolean;
  /** The thing that acts in the line of a story; its text begins with it. */
  who?: string;
  /** The first event of a line of a story. Its trace reaches from here to the next line. */
  from?: number;
}
export interface Waiting {
  sort: 'choose' | 'roll';
  title: string;
  /** Identifies the question: `Blow.parry of bob`. */
  asked: string;
  /** The player who decides or rolls. */
  who?: string;
  /** The thing that the question is about. */
  of?: string;
  options?: Option[];
  refused?: Refusal[];
  /** The answer is a position on the table: a line such as `12.5 20`, in inches. */
  point?: boolean;
  /** The answer is several options, between these counts: a line of names separated by commas. */
  several?: [number, number];
  /** For a roll. */
  dice?: { name: string; die: string; count: number; faces: string[] };
  place?: Place;
}
export interface Option { line: string; title: string; touches?: string[]; place?: Place; clauses?: Clause[]; preferred?: boolean }

/** `grognard/play/odds`, with the params of `grognard/play`: the report from this point on, and for each option. */
export interface PlayOdds { here: Ahead[]; options: { line: string; measures: Ahead[] }[] }
/** A measure from that point on, as text: `53/108 = 49.07 %`, `3.41`. */
export interface Ahead { measure: string; title: string; text: string; label: Chance['label'] }

/** `grognard/save`, with the params of `grognard/play` and `name`: a scenario that replays this run. */
export interface Saved { path: string; text: string; /** Parts of the run that the scenario cannot express. */ notes: string[] }

/** `grognard/compare { path, a: Version, b: Version, runs?, seed?, every?, known? }`: `every` continues until all measures are decided, from `known` pairs on. */
export interface Version { title?: string; settings: Settings; /** Another rules file for the scenario. */ rules?: string; /** Texts that replace those of the workspace. */ texts?: Record<string, string> }
export interface Compared {
  /** Differences between the rules, as text. */
  differences: { title: string; before?: string; after?: string; /** The reason why it has no effect on this table. */ held?: string; place?: Place; clauses?: Clause[] }[];
  effects: Effect[];
  /** The first run in which the versions diverge. */
  parting?: { run: number; a: TraceLine[]; b: TraceLine[]; at: number };
  text?: string;
  finding?: { pairs?: number; within?: number | null; effects?: EffectFacts[] };
  /** Planned number of pairs of runs, as on the command line. The page can stop earlier and leave measures undecided. */
  asked?: number;
}
export interface Effect {
  measure: string;
  title?: string;
  verdict: string;
  sentence?: string;
  a: Chance;
  b: Chance;
  difference: Chance;
  bars: { value: string; a: number; b: number }[];
}
/** Facts about an effect besides its numbers: pairs of runs, and the confidence level in percent. */
export interface EffectFacts { n?: number; level?: number }

/** `grognard/sweep { path, settings, dials: [names], runs?, seed? }`: every value of one dial, or of two together. */
export interface Sweep { points: { at: Record<string, string>; measures: Measure[] }[]; open: number }

/** `grognard/readings { path, settings, runs?, seed? }`: the readings that change the report, strongest first. */
export interface Readings { readings: { name: string; title: string; alternative: string; effects: { measure: string; verdict: string; difference: { estimate: number } }[] }[]; open: number; /** Pairs of runs of the complete answer. */ all: number; /** Pairs of runs of this answer. */ finding?: { pairs?: number } }

/** Notification `grognard/progress`: a part of an answer whose request still runs. */
export interface Progress { id: number; part: unknown }

export type Methods = {
  'grognard/gallery': [Record<string, never>, { games: Game[] }];
  'grognard/copy': [{ of: string; folder: string }, NewGame];
  'grognard/cards': [Record<string, never>, { cards: Card[] }];
  'grognard/books': [{}, Books];
  'grognard/text': [{ path: string }, Text];
  'grognard/put': [{ path: string; text: string | null }, {}];
  'grognard/odds': [{ path: string; settings?: Settings; texts?: Record<string, string> }, Odds];
  'grognard/distribution': [{ path: string; lens: string; settings?: Settings }, DistributionAnswer];
  'grognard/explain': [{ code: string }, Explained];
  'grognard/outlook': [{ path: string; settings: Settings; runs?: number; seed?: number; texts?: Record<string, string> }, Outlook];
  'grognard/test': [{ path: string; settings: Settings }, Tested];
  'grognard/dials': [{ path: string; settings: Settings; texts?: Record<string, string> }, Dials];
  'grognard/variant': [{ path: string; settings: Settings; name: string; title: string }, Variant];
  'grognard/table': [{ path: string; settings: Settings; texts?: Record<string, string> }, Table];
  'grognard/sight': [{ path: string; settings: Settings; unit: string }, Looked];
  'grognard/edit': [{ path: string; edits: Edit[] }, Edited];
  'grognard/menu': [{ path: string; settings: Settings; unit: string; play?: { seed: number; script: Answer[] } }, Menu];
  'grognard/play': [PlayParams, Played];
  'grognard/play/odds': [PlayParams, PlayOdds];
  'grognard/save': [PlayParams & { name: string }, Saved];
  'grognard/compare': [{ path: string; a: Version; b: Version; runs?: number; seed?: number; every?: boolean; known?: number }, Compared];
  'grognard/sweep': [{ path: string; settings: Settings; dials: string[]; runs?: number; seed?: number }, Sweep];
  'grognard/readings': [{ path: string; settings: Settings; runs?: number; seed?: number }, Readings];
};
