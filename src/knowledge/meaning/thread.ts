import { setPriority } from "node:os";
import type { FromThread, ToThread } from "./messages.ts";
import { Model } from "./model.ts";

/** The worker thread that runs the meaning models, one task after another. `service.ts` starts and stops it. */

declare const self: Worker;

class MeaningThread {
  private model: Model | undefined;
  /** Tail of the message queue. Messages are processed in turn: concurrent ones would only wait for each other. */
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
      // Linux supports per-thread priorities; elsewhere it would be that of the whole process.
      if (process.platform === "linux") setPriority(0, message.nice);
      this.answer({ loaded: true });
      return;
    }
    if (!this.model) throw new Error("a task arrived before the models were loaded");
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
