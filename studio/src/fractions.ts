// Sums of fractions that are given as text, without rounding.

const divisor = (a: bigint, b: bigint): bigint => (b ? divisor(b, a % b) : a);

/** Adds fractions such as `1/6`. */
export function plusAll(all: string[]): string {
  let [above, below] = [0n, 1n];
  for (const each of all) {
    const [a = '0', b = '1'] = each.split('/');
    [above, below] = [above * BigInt(b) + BigInt(a) * below, below * BigInt(b)];
    const by = divisor(above, below);
    [above, below] = [above / by, below / by];
  }
  return below === 1n ? String(above) : `${above}/${below}`;
}
