/** The host's connection to a relay: proves that the room is its own, reconnects, and seals what it sends. */
import {
  base64UrlOf,
  createSealer,
  frameContent,
  type HostFrame,
  type HostKeys,
  type HostWord,
  hostClaim,
  type OpenedFrame,
  type OpenRoomSocket,
  openFrame,
  type RelayWord,
  type RoomSocket,
  readWord,
  relayCodes,
  relayReasons,
  signWith,
} from "@kedge/protocol/room";

export type ConnectionParts = {
  readonly keys: HostKeys;
  readonly relay: string;
  readonly openSocket: OpenRoomSocket;
  readonly now: () => number;
  /** Says about guests, from the relay. */
  readonly onWord: (word: Extract<RelayWord, { readonly guest: number }>) => void;
  readonly onFrame: (frame: OpenedFrame) => Promise<void>;
  /** The relay lost all guests of the connection before; they arrive again. */
  readonly onOpen: () => void;
  /** For good. */
  readonly onEnd: (reason: string) => void;
};

export interface RoomConnection {
  /** Resolves with the first opening; a sentence where it failed. */
  readonly opened: Promise<string | undefined>;
  readonly isOpen: () => boolean;
  send(route: number, frame: HostFrame): void;
  drop(guest: number): void;
  close(): Promise<void>;
}

const retryMs = [250, 500, 1_000, 2_000, 4_000];
const awayMsMax = 60_000;
/** After these a new attempt would end the same way. */
const finalCodes: ReadonlySet<number> = new Set([relayCodes.notHost, relayCodes.roomClosed, relayCodes.tooMuch]);

export function connectRoom(parts: ConnectionParts): RoomConnection {
  const { keys, relay, openSocket, now, onWord, onFrame, onOpen, onEnd } = parts;
  const { room, key, signingKey, publicKey } = keys;
  const url = `${relay}/r/${base64UrlOf(room)}?role=host`;
  const first = Promise.withResolvers<string | undefined>();
  let socket: RoomSocket | undefined;
  let sealer = createSealer({ room, key, direction: "to guests", signingKey });
  let wasOpen = false;
  let isUp = false;
  let isClosed = false;
  let lostAt = now();
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  let reading: Promise<unknown> = Promise.resolve();

  function finish(reason: string): void {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    first.resolve(reason);
    if (wasOpen) onEnd(reason);
  }

  function connect(): void {
    let isProved = false;
    const opened = openSocket(url, {
      onWord(text) {
        const word = readWord<RelayWord>(text);
        if (word === undefined) return;
        if (word.type === "prove" && !isProved && typeof word.nonce === "string") {
          isProved = true;
          void prove(opened, word.nonce);
        } else if (word.type === "open") {
          sealer = createSealer({ room, key, direction: "to guests", signingKey });
          socket = opened;
          [isUp, wasOpen, attempts] = [true, true, 0];
          onOpen();
          first.resolve(undefined);
        } else if ("guest" in word && Number.isSafeInteger(word.guest)) onWord(word);
      },
      onFrame(frame) {
        reading = reading.then(() => hear(frame)).catch((error: unknown) => finish(`Internal error: ${String(error)}`));
      },
      onClose({ code, reason }) {
        if (isUp && socket === opened) lostAt = now();
        isUp = isUp && socket !== opened;
        if (isClosed) return;
        const isOver = !wasOpen || finalCodes.has(code) || now() - lostAt > awayMsMax;
        if (isOver) finish(reason || "The relay cannot be reached");
        else timer = setTimeout(connect, retryMs[Math.min(attempts++, retryMs.length - 1)]);
      },
    });
  }

  async function hear(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    const found = await openFrame({ room, key, direction: "to host" }, frame);
    if (found !== undefined) await onFrame(found);
  }

  async function prove(to: RoomSocket, nonce: string): Promise<void> {
    const signature = await signWith(signingKey, hostClaim(nonce));
    const word: HostWord = { type: "proof", publicKey: base64UrlOf(publicKey), signature: base64UrlOf(signature) };
    to.send(JSON.stringify(word));
  }

  connect();

  return {
    opened: first.promise,
    isOpen: () => isUp,
    send(route, frame) {
      const to = socket;
      if (!isUp || to === undefined) return;
      const sealed = sealer.seal(route, frameContent(frame));
      sending = sealed.then((bytes) => {
        if (isUp && socket === to) to.send(bytes);
      });
    },
    drop: (guest) => socket?.send(JSON.stringify({ type: "drop", guest } satisfies HostWord)),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      first.resolve(relayReasons[relayCodes.roomClosed]);
      await sending;
      socket?.close();
    },
  };
}
