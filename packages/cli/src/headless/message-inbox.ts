/** Messages as a program writes them: what fits goes to the run under way, everything else waits until that run ended. */
import type { GivenMessage, UserMessage } from "./user-messages.ts";

export interface MessageInbox {
  /** The next message that no run took; undefined at the end of the input. */
  next(): Promise<UserMessage | undefined>;
  /** Whoever takes messages from now on; nobody without an argument. */
  deliverTo(take?: (message: GivenMessage) => void): void;
}

/** One message is held at a time, so that a program that writes faster than runs end is slowed down. */
export function openInbox(messages: AsyncIterable<UserMessage>): MessageInbox {
  let held: UserMessage | undefined;
  let isOver = false;
  let take: ((message: GivenMessage) => void) | undefined;
  let wakeReader = () => {};
  let wakePump = () => {};

  function offer(message: UserMessage): boolean {
    if (take === undefined || !message.ok || !isForRun(message)) return false;
    take(message);
    return true;
  }

  function release(): void {
    held = undefined;
    wakePump();
  }

  async function pump(): Promise<void> {
    for await (const message of messages) {
      if (offer(message)) continue;
      held = message;
      wakeReader();
      await new Promise<void>((resolve) => {
        wakePump = resolve;
      });
    }
  }

  const pumped = pump().finally(() => {
    isOver = true;
    wakeReader();
  });
  // Thrown to whoever asks for the next message.
  pumped.catch(() => undefined);

  return {
    async next() {
      while (held === undefined && !isOver) {
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
      const message = held;
      if (message === undefined) await pumped;
      else release();
      return message;
    },
    deliverTo(taker) {
      take = taker;
      if (held !== undefined && offer(held)) release();
    },
  };
}

/** Commands are for the time between runs. */
function isForRun({ text, delivery }: GivenMessage): boolean {
  return delivery !== "follow-up" && !text.startsWith("/");
}
