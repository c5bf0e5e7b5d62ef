import { setPriority } from "node:os";
import type { FromThread, ToThread } from "./messages.ts";
import { Model } from "./model.ts";

/** The thread that holds the models of meaning: it answers one task after the other. `service.ts` starts and ends it. */

declare const self: Worker;

class MeaningThread {
  private model: Model | undefined;
  /** Read one after the other: two at once would only wait for each other. */
  private turn: Promise<void> = Promise.resolve();

  receive(message: ToThread): void {
    this.turn = this.turn
      .then(() => this.take(message))
      .catch((error: unknown) =>
        this.answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  }

  private async take(message: ToThread): Promise<void> {
    if ("load" in message) {
      this.model = await Model.load(message.load);
      // Linux knows priorities of threads; elsewhere it would be the whole process's.
      if (process.platform === "linux") setPriority(0, message.nice);
      this.answer({ loaded: true });
      return;
    }
    if (!this.model) throw new Error("asked before it was loaded");
    const { text, passage } = message.task;
    const done = passage === undefined ? await this.model.vectorOf(text) : await this.model.read(text, passage);
    this.answer({ id: message.id, done });
  }

  private answer(message: FromThread): void {
    postMessage(message);
  }
}

const thread = new MeaningThread();
self.onmessage = ({ data }: MessageEvent<ToThread>) => thread.receive(data);
