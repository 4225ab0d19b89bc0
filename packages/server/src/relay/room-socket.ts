/** A connection to a relay from a program of ours, with the proxy and the certificates of its machine. */
import { reasonOf } from "@kedge/protocol";
import { type OpenRoomSocket, relayReasons } from "@kedge/protocol/room";
import { type ClientOptions, WebSocket } from "ws";

const handshakeMsMax = 15_000;

export function roomSocketWith(options: Pick<ClientOptions, "agent" | "ca">): OpenRoomSocket {
  return (url, { onWord, onFrame, onClose }) => {
    const socket = new WebSocket(url, { ...options, handshakeTimeout: handshakeMsMax, perMessageDeflate: false });
    let problem = "";
    socket.binaryType = "nodebuffer";
    socket.on("message", (data, isBinary) => {
      const bytes = data as Buffer;
      if (isBinary) onFrame(new Uint8Array(bytes));
      else onWord(String(bytes));
    });
    socket.on("error", (error) => {
      problem = reasonOf(error);
    });
    socket.on("close", (code) => onClose({ code, reason: relayReasons[code] ?? problem }));
    return {
      send: (data) => socket.send(data, () => undefined),
      close: () => socket.close(),
    };
  };
}
