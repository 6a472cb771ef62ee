// A client of the Language Server Protocol over the standard streams of a program: JSON-RPC 2.0 with Content-Length.
"use strict";

const { spawn } = require("child_process");

class Client {
  /** Starts the program; `hears` gets notifications, `ended` a reason when the program is gone. */
  constructor(program, args, hears, ended) {
    this.hears = hears;
    this.waiting = new Map();
    this.next = 0;
    this.bytes = Buffer.alloc(0);
    this.child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.child.stdout.on("data", (data) => this.read(data));
    this.child.stdin.on("error", () => {});
    const gone = (why) => {
      for (const { reject } of this.waiting.values()) reject(new Error(why));
      this.waiting.clear();
      if (this.child) ended(why);
      this.child = null;
    };
    this.child.on("error", (error) => gone(error.message));
    this.child.on("exit", (code) => gone(`it ended with ${code}`));
  }

  read(data) {
    this.bytes = Buffer.concat([this.bytes, data]);
    for (;;) {
      const head = this.bytes.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.bytes.toString("ascii", 0, head));
      const from = head + 4;
      const to = from + Number(length ? length[1] : 0);
      if (this.bytes.length < to) return;
      const message = JSON.parse(this.bytes.toString("utf8", from, to));
      this.bytes = this.bytes.subarray(to);
      this.take(message);
    }
  }

  take(message) {
    if (message.method !== undefined) {
      // requests of the server want an answer; there is nothing to say to them
      if (message.id !== undefined) this.write({ id: message.id, result: null });
      this.hears(message.method, message.params);
      return;
    }
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!asked) return;
    if (message.error) asked.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else asked.resolve(message.result);
  }

  write(message) {
    if (!this.child) return;
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.child.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.child.stdin.write(text);
  }

  tell(method, params) {
    this.write({ method, params });
  }

  /** Asks; a token of the editor takes the question back. */
  ask(method, params, token) {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      if (!this.child) return reject(new Error("the language server does not run"));
      this.waiting.set(id, { resolve, reject });
      this.write({ id, method, params });
      if (token) token.onCancellationRequested(() => this.tell("$/cancelRequest", { id }));
    });
  }

  async end() {
    if (!this.child) return;
    const child = this.child;
    await Promise.race([this.ask("shutdown", null), new Promise((done) => setTimeout(done, 1000))]).catch(() => {});
    this.tell("exit", null);
    this.child = null;
    setTimeout(() => child.kill(), 1000).unref();
  }
}

module.exports = { Client };
