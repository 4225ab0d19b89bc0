/** Follows one session of the client, and tells what its stream says of the session and of itself. */

import {
  type Client,
  connectionLost,
  type Failure,
  FailureError,
  type ViewEvent,
  viewEventOfFrame,
} from "@kedge/protocol";
import { noticeTexts } from "../texts/conversation.ts";

export type FrameListener = {
  readonly onEvent: (event: ViewEvent) => void;
  readonly onConnected: () => void;
  readonly onLost: () => void;
  /** Events are missing; everything has to be read again. */
  readonly onResync: () => void;
  /** The stream ended although nobody closed it. */
  readonly onEnd: (sentence: string, failure?: Failure) => void;
};

export type Followed = { readonly sessionId: string; readonly signal: AbortSignal };

/** Resolves when the stream has begun, so that nothing falls between it and the page. */
export function followFrames(client: Client, followed: Followed, listener: FrameListener): Promise<void> {
  const { sessionId, signal } = followed;
  const begun = Promise.withResolvers<void>();
  const read = async () => {
    for await (const frame of client.follow({ view: "parts", sessionId, signal })) {
      if (signal.aborted) return;
      if (frame.type === connectionLost) listener.onLost();
      else if (frame.type === "server.connected") {
        begun.resolve();
        listener.onConnected();
      } else if (frame.type === "server.resync") listener.onResync();
      else if (frame.sessionId === sessionId) listener.onEvent(viewEventOfFrame(frame));
    }
    if (!signal.aborted) listener.onEnd(noticeTexts.connectionLost);
  };
  void read()
    .catch((error: unknown) => {
      if (signal.aborted) return;
      if (error instanceof FailureError) listener.onEnd(error.failure.message, error.failure);
      else listener.onEnd(String(error));
    })
    .finally(begun.resolve);
  return begun.promise;
}
