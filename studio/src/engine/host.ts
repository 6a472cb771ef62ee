// The engine of `grognard studio`: requests by HTTP POST, notifications by server-sent events.

import { Engine, type Message } from './engine';

/** Returns the token of a page served by a host, from its meta element, or `null`. */
export function hostToken(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="grognard-token"]')?.content || null;
}

/** Identifies this page; each page has its own engine on the server. */
const PAGE = Math.random().toString(36).slice(2);

export class HostEngine extends Engine {
  readonly ready: Promise<void>;
  private last: Promise<unknown> = Promise.resolve();
  readonly gone: (why: string) => void;

  constructor(private readonly token: string, gone: (why: string) => void) {
    super();
    this.gone = gone;
    this.ready = this.listen();
  }

  private async listen(): Promise<void> {
    const answer = await fetch('events', { headers: { authorization: `Bearer ${this.token}`, 'x-grognard-page': PAGE } });
    if (!answer.ok || !answer.body) throw new Error(`the program answered ${answer.status}`);
    void this.read(answer.body);
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    let rest = '';
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        rest += value;
        const events = rest.split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
          if (data.length) this.hear(JSON.parse(data.join('\n')) as Message);
        }
      }
    } catch {
      // handled below
    }
    this.lost('the program ended', false);
    this.gone('`grognard studio` has ended. Start it again and reload this page');
  }

  /** Receives a message in a microtask, so that an exception in a view does not look like a fault of the connection. */
  private hear(message: Message): void {
    queueMicrotask(() => this.receive(message));
  }

  protected post(message: Message): void {
    const send = () =>
      fetch('rpc', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}`, 'x-grognard-page': PAGE },
        body: JSON.stringify(message),
      });
    // one message at a time: the server has one thread for each connection, and the engine must receive messages in order
    const sent = this.last.then(send, send);
    this.last = sent.catch(() => undefined);
    sent
      .then(async (answer) => {
        if (!answer.ok) throw new Error(`the program answered ${answer.status}`);
        if (answer.status === 204) return;
        for (const each of (await answer.json()) as Message[]) this.hear(each);
      })
      .catch((why: Error) => {
        if (message.id !== undefined) this.receive({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: why.message } });
      });
  }
}
