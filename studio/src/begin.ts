// What a new scenario begins with: one thing of each kind that a test of the rules asks for, the test, and a figure.

/** Names the kinds of a test's or a phase's parameters, `s: Squad, t: Squad`; nothing if one of them is no kind. */
function kindsOf(given: string, kinds: ReadonlySet<string>): [name: string, kind: string][] | null {
  const all = given.split(',').filter((each) => each.trim()).map((each) => each.split(':').map((part) => part.trim().split(' ')[0] ?? ''));
  return all.every(([, kind = '']) => kinds.has(kind)) ? all.map(([name = '', kind = '']) => [name, kind]) : null;
}

/** The text of a scenario that can be played as it stands, as far as the rules tell what could be. */
export function beginning(rules: string, name: string, text: string): string {
  const head = `rules = "${rules}"\nname  = "${name}"\n`;
  const bodies = new Map([...text.matchAll(/^kind (\w+)[^{]*\{([^}]*)\}/gm)].map(([, kind, body]) => [kind!, body!]));
  const calls = (word: string) => [...text.matchAll(new RegExp(`^${word} (\\w+)(?:\\(([^)]*)\\))?`, 'gm'))].map(([, call, given = '']) => ({ call: call!, given: kindsOf(given, new Set(bodies.keys())) }));
  const [tests = [], procs = [], phases = []] = ['test', 'proc', 'phase'].map((word) => calls(word).filter(({ given }) => given?.length || (given && word === 'phase')));
  // what no other rule calls is where the game begins; a test by itself changes nothing
  const inRules = text.replace(/^example[^\n]*(\n[ \t}][^\n]*)*/gm, '');
  const proc = procs.find(({ call }) => !new RegExp(`\\bdo ${call}\\b`).test(inRules)) ?? procs[0];
  const [test, phase] = [tests[0], phases[0]];
  const chosen = proc ?? phase ?? test;
  if (!chosen?.given) return `${head}\n# The start: a phase, as start = "GameTurn", or steps, each a [[step]] with do = ".."\n`;
  // what a scenario has to give has the least value that it may have
  const figures = (kind: string): string => [...(bodies.get(kind) ?? '').matchAll(/\bstat (\w+)\s*:\s*(-?\d+)\s*\.\.(?![^;\n]*=)/g)].map(([, stat, least]) => `${stat} = ${least}`).join(', ');
  // a phase that is of nothing in particular is of all there is
  const there = chosen.given.length ? chosen.given : [...bodies.keys()].map((kind): [string, string] => [kind.toLowerCase(), kind]);
  const things = [...new Set(there.map(([, kind]) => kind))].map((kind) => `[${kind}]\n${there.filter(([, of]) => of === kind).map(([thing]) => `${thing} = { ${figures(kind)} }`.replace('{  }', '{ }')).join('\n')}\n`);
  const args = chosen.given.map(([thing]) => thing).join(', ');
  const begins = chosen === phase ? '' : `[[step]]\ndo = "${chosen === test ? 'test' : 'do'} ${chosen.call}(${args})"\n`;
  const start = begins ? '' : `start = "${chosen.call}${args && `(${args})`}"\n`;
  const told = there.flatMap(([thing, kind]) => [...(bodies.get(kind) ?? '').matchAll(/\bstate (\w+)\s*:\s*-?\d+\s*\.\./g)].map(([, state]) => `"${thing}.${state}"`));
  return [head + start, ...things, begins, told.length ? `[report]\nof = [${told.slice(0, 4).join(', ')}]\n` : ''].filter(Boolean).join('\n');
}
