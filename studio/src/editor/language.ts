// Syntax colors before the engine answers: stream tokenizers for rules and TOML.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const HEADS = new Set(
  'ruleset variant version extends of section param reading enum chain die kind record event law policy state stat tally let table proc test phase action rule on trait status condition example override remove change extend extern open link owner cite default gives for with rolling under sweep because'.split(' '),
);
const WORDS = new Set(
  'if else match first choose may each repeat while set roll draw emit run do return stop until end when where then and or not any all no yes every count sum most least nearest farthest in is has was within sees otherwise some none up down rounded to by from chosen as prefer shares cost pass fail shuffle force'.split(' '),
);

/** The id at the start of a paragraph of the book, before its sentence. */
const CLAUSE = /^[A-Z][A-Z\d]*-[A-Z]?\d+(?=[ \t]+[^\s,#])/;

/** `prose`: whether the line belongs to a paragraph of the book. */
const rules: StreamParser<{ depth: number; prose: boolean }> = {
  name: 'grognard',
  startState: () => ({ depth: 0, prose: false }),
  blankLine: (state) => void (state.prose = false),
  token(stream, state) {
    if (stream.sol()) {
      // a paragraph continues on indented lines
      state.prose &&= /^[ \t]+\S/.test(stream.string);
      if (stream.match(CLAUSE)) {
        state.prose = true;
        return 'meta';
      }
    }
    if (state.prose) {
      stream.skipToEnd();
      return null;
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/#.*/)) return 'comment';
    if (stream.match(/"(?:[^"\\]|\\.)*"/)) return 'string';
    if (stream.match(/\d+d\d+|d\d+/)) return 'atom';
    if (stream.match(/\d+(?:\.\d+)?["°%]?/)) return 'number';
    const word = stream.match(/[A-Za-z_][\w-]*/) as RegExpMatchArray | null;
    if (word) {
      if (HEADS.has(word[0])) return 'keyword';
      if (WORDS.has(word[0])) return 'controlKeyword';
      return /^[A-Z]{2,}-/.test(word[0]) ? 'meta' : /^[A-Z]/.test(word[0]) ? 'typeName' : 'variableName';
    }
    const sign = stream.next()!;
    if ('([{'.includes(sign)) state.depth++;
    else if (')]}'.includes(sign) && state.depth > 0) state.depth--;
    return null;
  },
  // a line is indented once for each open bracket; a line that begins with a closing one is indented like the opening line
  indent: ({ depth }, after, { unit }) => unit * Math.max(0, depth - (/^\s*[)\]}]/.test(after) ? 1 : 0)),
  tokenTable: { controlKeyword: tags.controlKeyword },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '"'] }, indentOnInput: /^\s*\}$/ },
};

const toml: StreamParser<unknown> = {
  name: 'toml',
  startState: () => ({}),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/#.*/)) return 'comment';
    if (stream.sol() && stream.match(/\[\[?[^\]]*\]\]?/)) return 'heading';
    if (stream.match(/"(?:[^"\\]|\\.)*"|'[^']*'/)) return 'string';
    if (stream.match(/[+-]?\d[\d_.]*/)) return 'number';
    if (stream.match(/true|false/)) return 'atom';
    if (stream.match(/[\w-]+(?=\s*=)/)) return 'propertyName';
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '#' } },
};

const style = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.string, class: 'tok-string' },
  { tag: tags.number, class: 'tok-number' },
  { tag: tags.atom, class: 'tok-atom' },
  { tag: tags.keyword, class: 'tok-head' },
  { tag: tags.controlKeyword, class: 'tok-word' },
  { tag: tags.typeName, class: 'tok-type' },
  { tag: tags.meta, class: 'tok-clause' },
  { tag: tags.heading, class: 'tok-heading' },
  { tag: tags.propertyName, class: 'tok-name' },
]);

const languages = { rules: StreamLanguage.define(rules), toml: StreamLanguage.define(toml) };
export const language = (path: string) => [path.endsWith('.rules') ? languages.rules : languages.toml, syntaxHighlighting(style)];
