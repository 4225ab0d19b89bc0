/** A connection to a relay from a browser. */
import { type OpenRoomSocket, relayReasons } from "@kedge/protocol/room";

export const openBrowserSocket: OpenRoomSocket = (url, { onWord, onFrame, onClose }) => {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
    if (data instanceof ArrayBuffer) onFrame(new Uint8Array(data));
    else onWord(String(data));
  });
  socket.addEventListener("close", ({ code }) => onClose({ code, reason: relayReasons[code] ?? "" }));
  return {
    send(data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    close: () => socket.close(),
  };
};
