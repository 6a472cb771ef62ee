export class Engine {
  constructor();
  send(json: string): string[];
  work(slices: number): string[];
  busy(): boolean;
}
export function initSync(options: { module: WebAssembly.Module }): unknown;
