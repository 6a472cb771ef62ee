export class Engine {
  constructor();
  send(json: string): string[];
  work(ms: number): string[];
  busy(): boolean;
}
export function initSync(options: { module: WebAssembly.Module }): unknown;
