export class Engine {
  constructor();
  send(message: string): string[];
  work(slices: number): string[];
  busy(): boolean;
}
export function initSync(options: { module: WebAssembly.Module }): unknown;
