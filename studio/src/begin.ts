// Creates the text of a new scenario: one thing of each kind that a test or proc of the rules needs, a step that calls it, and a report.

/** Returns the parameters of a test or a phase, such as `s: Squad, t: Squad`, with their kinds. Returns `null` if the type of one is not a kind. */
function kindsOf(given: string, kinds: ReadonlySet<string>): [name: string, kind: string][] | null {
  const all = given.split(',').filter((each) => each.trim()).map((each) => each.split(':').map((part) => part.trim().split(' ')[0] ?? ''));
  return all.every(([, kind = '']) => kinds.has(kind)) ? all.map(([name = '', kind = '']) => [name, kind]) : null;
}

/** Returns the text of a scenario that can be played unchanged, if the rules show what it needs. */
export function beginning(rules: string, name: string, text: string): string {
  const head = `rules = "${rules}"\nname  = "${name}"\n`;
  const bodies = new Map([...text.matchAll(/^kind (\w+)[^{]*\{([^}]*)\}/gm)].map(([, kind, body]) => [kind!, body!]));
  const calls = (word: string) => [...text.matchAll(new RegExp(`^${word} (\\w+)(?:\\(([^)]*)\\))?`, 'gm'))].map(([, call, given = '']) => ({ call: call!, given: kindsOf(given, new Set(bodies.keys())) }));
  const [tests = [], procs = [], phases = []] = ['test', 'proc', 'phase'].map((word) => calls(word).filter(({ given }) => given?.length || (given && word === 'phase')));
  // a proc that no other rule calls is where the game begins; a test by itself changes nothing
  const inRules = text.replace(/^example[^\n]*(\n[ \t}][^\n]*)*/gm, '');
  const proc = procs.find(({ call }) => !new RegExp(`\\bdo ${call}\\b`).test(inRules)) ?? procs[0];
  const [test, phase] = [tests[0], phases[0]];
  const chosen = proc ?? phase ?? test;
  if (!chosen?.given) return `${head}\n# The start: a phase, as start = "GameTurn", or steps, each a [[step]] with do = ".."\n`;
  // a stat without a default gets its minimum
  const figures = (kind: string): string => [...(bodies.get(kind) ?? '').matchAll(/\bstat (\w+)\s*:\s*(-?\d+)\s*\.\.(?![^;\n]*=)/g)].map(([, stat, least]) => `${stat} = ${least}`).join(', ');
  // a phase without parameters gets one thing of each kind
  const there = chosen.given.length ? chosen.given : [...bodies.keys()].map((kind): [string, string] => [kind.toLowerCase(), kind]);
  const things = [...new Set(there.map(([, kind]) => kind))].map((kind) => `[${kind}]\n${there.filter(([, of]) => of === kind).map(([thing]) => `${thing} = { ${figures(kind)} }`.replace('{  }', '{ }')).join('\n')}\n`);
  const args = chosen.given.map(([thing]) => thing).join(', ');
  const begins = chosen === phase ? '' : `[[step]]\ndo = "${chosen === test ? 'test' : 'do'} ${chosen.call}(${args})"\n`;
  const start = begins ? '' : `start = "${chosen.call}${args && `(${args})`}"\n`;
  const states = there.flatMap(([thing, kind]) => [...(bodies.get(kind) ?? '').matchAll(/\bstate (\w+)\s*:\s*-?\d+\s*\.\./g)].map(([, state]) => `"${thing}.${state}"`));
  return [head + start, ...things, begins, states.length ? `[report]\nof = [${states.slice(0, 4).join(', ')}]\n` : ''].filter(Boolean).join('\n');
}
