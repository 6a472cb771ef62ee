// What the page and the engine say to each other: JSON-RPC 2.0, the Language Server Protocol for texts, and the requests below.
// docs/studio-engine.md describes them in prose.
//
// Texts are named by their path below the rules root, as `warstrike/core.rules`; the LSP calls the same text `file:///warstrike/core.rules`.
// Texts that are open come by `textDocument/didOpen` and `didChange`, all others that differ from the shipped ones by `grognard/put`.
// All params carry `revision`; the answer repeats it. Any field that is empty or unknown may be left out.

export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }
/** A place in a text. */
export interface Place { path: string; range: Range }

/** What dials are set to, as texts that a scenario file could hold: `{ params: { hit_on: "5" }, readings: { at_half: "StandsFirm" } }`. */
export interface Settings { params: Record<string, string>; readings: Record<string, string> }

/** `grognard/books {}`: what is shipped inside, or what the folder holds. */
export interface Books { version: string; books: Book[] }
export interface Book { name: string; title: string; files: string[]; scenarios: { path: string; title: string; rules: string }[] }

/** `grognard/text { path }`: a text as it stands now; none if there is none. `shipped`: the one that came with the program. */
export interface Text { text: string | null; shipped?: string }

/** `grognard/put { path, text }`: gives a text that is not open; with `text: null` it is taken away. Answer `{}`. */

/** `grognard/explain { code }`: the page of a code such as R0104, as Markdown. */
export interface Explained { text: string }

/** A chance or a mean with what is known of it. */
export interface Chance {
  /** How it came about. */
  label: 'exact' | 'bounded' | 'sampled';
  /** `53/108`, where it is exact. */
  fraction?: string;
  /** Between 0 and 1 for a chance; the number itself for a mean. */
  estimate: number;
  low?: number;
  high?: number;
  /** Of how many runs it is, if it was counted in runs. */
  runs?: number;
}
/** One value of a distribution. */
export interface Bar { value: string; chance: Chance }
/** The odds of one measure. */
export interface Measure {
  measure: string;
  /** What it is in words, where the rules have a title for it. */
  title?: string;
  sort: 'chance' | 'mean' | 'outcome';
  /** Of a `chance` that it holds; of a `mean` the mean. */
  value?: Chance;
  /** How often each value comes. */
  bars?: Bar[];
  /** `exact, 8 positions explored`, `sampled, from 10000 runs`. */
  how?: string;
}

/**
 * `grognard/odds { path, settings, texts? }`: what stands in the margin of a text; the settings count for tests and procs, and an example says what holds of the book as it is written. A text that leaves items open is asked in rules that fill them in; `texts` replace those of the workspace.
 * Notifications `grognard/progress` bring parts of it before.
 */
export interface Odds { lenses: Lens[]; /** lenses that are not worked out yet */ open: number }
export interface Lens {
  /** Stays the same as long as the item keeps its name. */
  id: string;
  range: Range;
  title: string;
  sort: 'test' | 'proc' | 'example';
  /** What it was asked of: `Check(u) with ld 2, nv 3`. */
  at?: string;
  measures: Measure[];
  /** Of an example: whether it holds. */
  holds?: boolean;
  /** Why there is no answer. */
  why?: string;
}

/** `grognard/distribution { path, lens, scene, settings }`: all of one lens. */
export interface DistributionAnswer {
  title: string;
  at?: string;
  measures: Measure[];
  params?: { name: string; title: string; value: string; place?: Place }[];
  readings?: { name: string; title: string; value: string; place?: Place }[];
  clauses?: Clause[];
  /** The same in words. */
  text?: string;
  finding?: { answers?: { measure: string; outcomes: { value: unknown }[]; why?: { label: string; rolls: SwingFacts[] | null; readings: { name: string; probability: string }[] } }[] };
}
/** What a roll makes of a measure: how far it moves its mean, between what, and its share of the variance, as fractions. */
export interface SwingFacts { name: string; of: string; moves: string; least: string | null; greatest: string | null; share: string }
export interface Clause { id: string; says: string; place?: Place }

/** `grognard/outlook { path, settings, runs?, seed?, texts? }`: the report of a scenario, exact where it can be and sampled otherwise. */
export interface Outlook { measures: Measure[]; runs?: number; asked?: number; faults?: number; fault?: string; /** What must not be overlooked of exact odds: runs that never end, or end in an error. */ notes?: string[]; text?: string }

/** `grognard/test { path, settings }`: what a scenario expects, as `grognard test` judges it. */
export interface Tested { checks: Check[]; /** Errors that are no expectation's. */ faults: string[] }
/** `holds` is left out where it was not looked at, `why` where it holds. */
export interface Check { text: string; holds?: boolean; step?: number | null; why?: string | null; place?: Place }

/** `grognard/dials { path, settings, texts? }` of a ruleset or a scenario; `texts` replace those of the workspace. */
export interface Dials { params: ParamDial[]; readings: ReadingDial[] }
export interface ParamDial {
  name: string;
  title: string;
  /** What holds now: of the settings, else of the scenario, else of the book. */
  value: string;
  /** What the rules say. */
  book: string;
  /** What the scenario says, if it says something. */
  scenario?: string;
  sweep: string[];
  /** `"` for lengths, `°` for angles, `%`. */
  unit?: string;
  place?: Place;
  clauses?: Clause[];
  /** Titles of what asks for it, with their places. */
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

/** `grognard/variant { path, settings, name, title }`: the text of a variant file that says what the settings say. */
export interface Variant { path: string; text: string }

/** `grognard/table { path, settings, texts? }`: how a scenario begins. Lengths are thousandths of an inch, angles hundredths of a degree. */
export interface Table {
  width: number;
  height: number;
  areas: Area[];
  barriers: { id: string; title: string; points: [number, number][]; height?: number }[];
  units: Unit[];
  /** The rules ask who sees whom. */
  sight?: boolean;
}
export interface Area { id: string; title: string; points: [number, number][]; sort?: string }
export interface Unit {
  id: string;
  title: string;
  kind: string;
  /** The player that decides for it. */
  side: string;
  /** The unit that a model is in. */
  of?: string;
  /** The same for all that stand in one line of the scenario's text, which are moved together. */
  line?: number;
  /** It stands in such a line: whether it has an entry of its own beside. */
  own?: boolean;
  /** None where it is not on the table. */
  x?: number;
  y?: number;
  facing?: number;
  base: { round?: number; points?: [number, number][] };
  alive: boolean;
  figures: Figure[];
  statuses: string[];
}
export interface Figure { name: string; title: string; value: string; /** False for what is worked out. */ given?: boolean; choices?: string[]; low?: number; high?: number }

/** `grognard/sight { path, settings, unit }`: what a unit sees of each other one, and of each model. */
export interface Looked { unit: string; seen: Seen[] }
export interface Seen {
  to: string;
  sees: boolean;
  /** One that is clear, else the straight one. */
  line: [[number, number], [number, number]];
  /** How far one sees along a line that is blocked, and the names of all that it passes over. */
  stop?: [number, number];
  by?: string[];
}

/** `grognard/edit { path, edits }`: the text of the scenario with a drag or another figure in it. */
export type Edit = { unit: string; x: number; y: number } | { unit: string; facing: number } | { unit: string; figure: string; value: string };
export interface Edited { text: string }

/** `grognard/menu { path, settings, unit, play? }`: what a unit may do here, and for what it may not, why. */
export interface Menu { offered: Offer[]; refused: Refusal[]; /** What is decided first, and by whom. */ asked?: string; who?: string }
export interface Offer { title: string; call: string; place?: Place; clauses?: Clause[] }
export interface Refusal extends Offer { reason: string }

/**
 * `grognard/play { path, settings, seed, script, byHand?, as? }`: the run that these answers make, up to what it waits for next.
 * Nothing is kept outside the script: going back is a shorter script.
 */
export interface PlayParams {
  path: string;
  settings: Settings;
  seed?: number;
  script: Answer[];
  /** Waits before each roll too. */
  byHand?: boolean;
  /** Players that the person decides for; the others play as the scenario says. Left out: all. */
  as?: string[];
}
/**
 * One thing that was answered: an option by its line, dice by their faces, or `auto` for what the rules prefer; `roll: []` lets dice fall
 * and fits no decision. What `auto` holds makes no difference: `false` is what the page answered for others.
 * What it was asked, as `Waiting` tells it: such an answer fits no other question.
 */
export type Answer = ({ choose: string } | { roll: string[] } | { auto: boolean }) & { asked?: string };
export interface Played {
  events: TraceLine[];
  /** How many events each answer of the script brought; the same length as the script, and one more for the start. */
  marks: number[];
  /** Of the dice: the one that was asked for, else that of the scenario. */
  seed: number;
  waits?: Waiting;
  ended: boolean;
  /** The first answer of the script that no longer fits, and why; the run stands before it. */
  misfit?: { at: number; why: string };
  /** A fault of the run in words. */
  fault?: string;
  table?: Table;
  /** Figures of the report at this point. */
  report?: { measure: string; value: string }[];
}
export interface TraceLine {
  n: number;
  depth: number;
  /** The sort of event, as traces for programs call it: enter, roll, write, decision, moved, step … docs/traces.md describes them. */
  event: string;
  /** The line as `run` prints it, without clause and without indent; empty for what a brief trace leaves out. */
  text: string;
  title?: string;
  clauses?: Clause[];
  place?: Place;
  /** The rule, proc, action … that it happened in. */
  rule?: string;
  /** Things on the table that it touches. */
  touches?: string[];
  /** Where units came to. */
  moved?: { unit: string; x: number; y: number; facing?: number }[];
  /** Figures that were changed; one without a unit is of the table. */
  wrote?: { unit?: string; figure: string; before: string; after: string }[];
  dice?: { name: string; die: string; faces: string[] };
  /** A gap in the book decided something. */
  gap?: boolean;
}
export interface Waiting {
  sort: 'choose' | 'roll';
  title: string;
  /** What tells this question from others: `Blow.parry of bob`. */
  asked: string;
  /** Who decides or throws. */
  who?: string;
  /** For whom. */
  of?: string;
  options?: Option[];
  refused?: Refusal[];
  /** A place on the table is asked for: a line `12.5 20` in inches. */
  point?: boolean;
  /** So many of the options together: a line of their names with commas between. */
  several?: [number, number];
  /** Of a roll. */
  dice?: { name: string; die: string; count: number; faces: string[] };
  place?: Place;
}
export interface Option { line: string; title: string; touches?: string[]; place?: Place; clauses?: Clause[]; preferred?: boolean }

/** `grognard/play/odds`, with the params of `grognard/play`: the report from here, of each option. */
export interface PlayOdds { here: Ahead[]; options: { line: string; measures: Ahead[] }[] }
/** A measure from there on in words: `53/108 = 49.07 %`, `3.41`. */
export interface Ahead { measure: string; title: string; text: string; label: Chance['label'] }

/** `grognard/save`, with the params of `grognard/play` and `name`: a scenario that plays this run again. */
export interface Saved { path: string; text: string; /** What could not be said in it. */ notes: string[] }

/** `grognard/compare { path, a: Version, b: Version, runs?, seed?, every?, known? }`: `every` plays on until all measures are decided, from so many pairs on as are `known`. */
export interface Version { title?: string; settings: Settings; /** Another rules file for the scenario. */ rules?: string; /** Texts that replace those of the workspace. */ texts?: Record<string, string> }
export interface Compared {
  /** What differs between the rules, in words. */
  differences: { title: string; before?: string; after?: string; /** Why it is not in force on this table. */ held?: string; place?: Place; clauses?: Clause[] }[];
  effects: Effect[];
  /** The first run that parts them. */
  parting?: { run: number; a: TraceLine[]; b: TraceLine[]; at: number };
  text?: string;
  finding?: { pairs?: number; within?: number | null; effects?: EffectFacts[] };
  /** Pairs of runs that are planned for, as on the command line; after fewer it may be left undecided here. */
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
/** What the finding of a comparison says of an effect beside its numbers: pairs of runs, and the level of its interval in percent. */
export interface EffectFacts { n?: number; level?: number }

/** `grognard/sweep { path, settings, dials: [names], runs?, seed? }`: every value of one dial, or of two together. */
export interface Sweep { points: { at: Record<string, string>; measures: Measure[] }[]; open: number }

/** `grognard/readings { path, settings, runs?, seed? }`: which readings move the report, the strongest first. */
export interface Readings { readings: { name: string; title: string; alternative: string; effects: { measure: string; verdict: string; difference: { estimate: number } }[] }[]; open: number; /** Pairs of runs of the whole answer. */ all: number; /** Of how many pairs of runs it is. */ finding?: { pairs?: number } }

/** Notification `grognard/progress`: a part of an answer whose request is still worked on. */
export interface Progress { id: number; part: unknown }

export type Methods = {
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
