/** The end of the channel inside the process that runs code of others. */
import { Socket } from "node:net";
import { channelDescriptor, lineBytesMax, type ToCode, type ToKedge } from "../code-messages.ts";
import { createLineReader } from "../json-lines.ts";

export type ChildChannel = {
  send(message: ToKedge): void;
  listen(onMessage: (message: ToCode) => void): void;
};

/** Taken before any code of others runs: what that does to these later changes nothing here. */
const { stringify, parse } = JSON;

export function openChildChannel(): ChildChannel {
  const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  // kedge is gone, and nobody is left to tell.
  socket.on("error", () => process.exit(0));
  socket.on("close", () => process.exit(0));
  return {
    send(message) {
      socket.write(`${lineOf(message)}\n`);
    },
    listen(onMessage) {
      // What comes from kedge has the shape that its types say.
      const onLine = (line: string) => onMessage(parse(line) as ToCode);
      const reader = createLineReader({ bytesMax: 16 * lineBytesMax, onLine, onTooLong: () => process.exit(1) });
      socket.on("data", (piece) => reader.add(piece));
    },
  };
}

function lineOf(message: ToKedge): string {
  const line = textOf(message);
  if (line.length < lineBytesMax / 4) return line;
  const problem = `its result is larger than ${lineBytesMax / 4 / 1024 / 1024} MB`;
  return "id" in message ? stringify({ type: "threw", id: message.id, problem, isBug: true } satisfies ToKedge) : "{}";
}

function textOf(message: ToKedge): string {
  try {
    return stringify(message);
  } catch {
    const problem = "its result cannot be serialized as JSON";
    return "id" in message
      ? stringify({ type: "threw", id: message.id, problem, isBug: true } satisfies ToKedge)
      : stringify({ type: "unloaded", problem } satisfies ToKedge);
  }
}
