// Texts of the folder of `grognard studio`, with optimistic concurrency: the mark is the SHA-256 of the text that was read.

import { First } from './first';
import { Conflict, type Files, type Kept } from './files';

export class HostFiles implements Files {
  readonly where = 'saved in the folder';
  readonly layered = false;
  readonly came = 'at program start, with accepted changes';
  private readonly before = new First();
  constructor(private readonly token: string) {}

  private async call(method: string, path: string, body?: string, mark?: string | null): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (body !== undefined || method === 'DELETE') headers[mark ? 'if-match' : 'if-none-match'] = mark ? `"${mark}"` : '*';
    const at = path ? 'files/' + path.split('/').map(encodeURIComponent).join('/') : 'files';
    return fetch(at, { method, headers, body });
  }

  private static async fail(answer: Response): Promise<never> {
    throw new Error((await answer.text()).slice(0, 300) || `the program answered ${answer.status}`);
  }

  async list(): Promise<string[]> {
    const answer = await this.call('GET', '');
    if (!answer.ok) return HostFiles.fail(answer);
    return ((await answer.json()) as { files: { path: string }[] }).files.map((file) => file.path);
  }

  async all(): Promise<Kept[]> {
    const all = await Promise.all((await this.list()).map((path) => this.read(path)));
    return all.filter((kept) => kept !== null);
  }

  async read(path: string): Promise<Kept | null> {
    const answer = await this.call('GET', path);
    if (answer.status === 404) return null;
    if (!answer.ok) return HostFiles.fail(answer);
    return { path, text: await answer.text(), mark: (answer.headers.get('etag') ?? '').replaceAll('"', '') };
  }

  async write(path: string, text: string, mark: string | null): Promise<Kept> {
    const answer = await this.call('PUT', path, text, mark);
    if (answer.status === 409 || answer.status === 412) throw new Conflict(path, await this.read(path));
    if (!answer.ok) return HostFiles.fail(answer);
    return { path, text, mark: (answer.headers.get('etag') ?? '').replaceAll('"', '') };
  }

  async remove(path: string, mark: string | null): Promise<void> {
    const answer = await this.call('DELETE', path, undefined, mark);
    if (answer.status === 409 || answer.status === 412) throw new Conflict(path, await this.read(path));
    if (!answer.ok) return HostFiles.fail(answer);
  }

  first(now: Kept[]): Promise<Map<string, string>> {
    return this.before.texts(this.token, now);
  }

  accept(path: string, text: string | null): Promise<void> {
    return this.before.accept(path, text);
  }

  watch(): void {
    // the page checks its open files when it becomes visible again
  }
}
