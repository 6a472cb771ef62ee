/** An error that the engine reports, such as a path that does not exist. */
export class EngineError extends Error {
  readonly code: number;
}

/** An engine with the shipped rulebooks and the texts that were put into it. It computes on the thread that calls it. */
export interface Session {
  /** Sets the text of a path, or deletes it with `null`. */
  put(path: string, text: string | null): void;
  /**
   * Answers a request, such as `ask('grognard/outlook', { path: 'mine/duel.toml', settings: { params: {}, readings: {} } })`.
   * `progress` receives the parts of a long answer.
   * @throws EngineError if the engine cannot answer.
   */
  ask(method: string, params?: object, progress?: (part: unknown) => void): any;
  /** Frees the memory of the engine. */
  close(): void;
}

/** Starts an engine with the shipped rulebooks and these texts by path. */
export function open(texts?: Record<string, string>): Promise<Session>;
