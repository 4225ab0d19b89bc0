/** The rooms of a relay: passes sealed frames between one host and its guests, and keeps none of them. */
import { bytesOfBase64Url, guestsMax, type RelayWord, relayCodes, relayReasons, uint32At } from "@kedge/protocol/room";
import type { WebSocket } from "ws";
import { createHeartbeat } from "./heartbeat.ts";
import { createAllowance } from "./relay-limits.ts";

export type RoomsParts = {
  readonly now: () => number;
  /** True when this text signs the nonce with the key that the room is named after. */
  readonly isHost: (room: string, nonce: string, word: string) => Promise<boolean>;
  readonly newNonce: () => string;
};

type Guest = { readonly number: number; readonly socket: WebSocket; isBehind: boolean };

type Room = {
  readonly guests: Map<number, Guest>;
  host: WebSocket | undefined;
  /** When the host was last heard, or lost its connection. */
  heardAt: number;
  guestsEver: number;
};

interface Rooms {
  joinAsHost(room: string, socket: WebSocket): void;
  joinAsGuest(room: string, socket: WebSocket): void;
  /** Closes rooms without a host, and asks connections whether they are still there. */
  beat(): void;
  count(): { readonly rooms: number; readonly connections: number };
  close(): void;
}

const behindBytes = 5 * 1024 * 1024;
const droppedBytes = 20 * 1024 * 1024;
const hostAwayMsMax = 60_000;
const quietMsMax = 12 * 60 * 60_000;
const proofMsMax = 10_000;
const framesPerWindow = 200;
const bytesPerWindow = 2 * 1024 * 1024;
const windowMs = 10_000;

const roomText = /^[A-Za-z0-9_-]{22}$/;

export function isRoomName(text: string): boolean {
  return roomText.test(text) && bytesOfBase64Url(text)?.length === 16;
}

export function createRooms({ now, isHost, newNonce }: RoomsParts): Rooms {
  const rooms = new Map<string, Room>();
  const { watch, beat } = createHeartbeat();

  function closeRoom(name: string, room: Room): void {
    rooms.delete(name);
    for (const { socket } of room.guests.values()) end(socket, relayCodes.roomClosed);
    if (room.host !== undefined) end(room.host, relayCodes.roomClosed);
  }

  function hostLeft(name: string, room: Room): void {
    room.host = undefined;
    room.heardAt = now();
    if (room.guests.size === 0) rooms.delete(name);
    else tellGuests(room, { type: "host-away" });
  }

  function openRoom(name: string, socket: WebSocket): void {
    const room = rooms.get(name) ?? { guests: new Map(), host: undefined, heardAt: now(), guestsEver: 0 };
    if (room.host !== undefined) {
      end(socket, relayCodes.roomTaken);
      return;
    }
    rooms.set(name, room);
    room.host = socket;
    room.heardAt = now();
    tell(socket, { type: "open" });
    tellGuests(room, { type: "host-back" });
    for (const guest of room.guests.keys()) tell(socket, { type: "arrived", guest });
    socket.on("message", (data, isBinary) => {
      room.heardAt = now();
      if (isBinary) sendOn(room, data as Buffer);
      else hearHost(room, String(data));
    });
    socket.on("close", () => {
      if (room.host === socket) hostLeft(name, room);
    });
  }

  return {
    joinAsHost(name, socket) {
      watch(socket);
      const nonce = newNonce();
      const deadline = setTimeout(() => end(socket, relayCodes.notHost), proofMsMax);
      socket.on("close", () => clearTimeout(deadline));
      socket.once("message", (data, isBinary) => {
        clearTimeout(deadline);
        const claim = isBinary ? Promise.resolve(false) : isHost(name, nonce, String(data));
        void claim.then((isTrue) => (isTrue ? openRoom(name, socket) : end(socket, relayCodes.notHost)));
      });
      tell(socket, { type: "prove", nonce });
    },

    joinAsGuest(name, socket) {
      watch(socket);
      const room = rooms.get(name);
      if (room === undefined) return end(socket, relayCodes.noSuchRoom);
      if (room.guests.size >= guestsMax) return end(socket, relayCodes.roomFull);
      room.guestsEver += 1;
      const guest = { number: room.guestsEver, socket, isBehind: false };
      room.guests.set(guest.number, guest);
      const frames = createAllowance({ max: framesPerWindow, windowMs, now });
      const bytes = createAllowance({ max: bytesPerWindow, windowMs, now });
      socket.on("message", (data, isBinary) => {
        // Frames still arrive on a connection that is being closed.
        if (socket.readyState !== socket.OPEN) return;
        const frame = data as Buffer;
        // A guest that writes another number would be heard as that guest.
        const isOwn = isBinary && frame.length >= 4 && uint32At(frame, 0) === guest.number;
        if (!isOwn || !frames.take("") || !bytes.take("", frame.length)) return end(socket, relayCodes.tooMuch);
        room.host?.send(frame);
      });
      socket.on("close", () => {
        leave(room, guest);
        if (room.host === undefined && room.guests.size === 0 && rooms.get(name) === room) rooms.delete(name);
      });
      tell(socket, { type: "joined", guest: guest.number });
      if (room.host === undefined) tell(socket, { type: "host-away" });
      else tell(room.host, { type: "arrived", guest: guest.number });
    },

    beat() {
      const time = now();
      for (const [name, room] of rooms) {
        const quietMs = time - room.heardAt;
        if (quietMs > (room.host === undefined ? hostAwayMsMax : quietMsMax)) closeRoom(name, room);
        for (const socket of [room.host, ...[...room.guests.values()].map((guest) => guest.socket)]) {
          if (socket !== undefined) beat(socket);
        }
      }
    },

    count() {
      const connections = [...rooms.values()].map(({ host, guests }) => guests.size + (host === undefined ? 0 : 1));
      return { rooms: rooms.size, connections: connections.reduce((sum, count) => sum + count, 0) };
    },

    close() {
      for (const [name, room] of rooms) closeRoom(name, room);
    },
  };
}

function sendOn(room: Room, frame: Buffer): void {
  if (frame.length < 4) return;
  const route = uint32At(frame, 0);
  if (route === 0) for (const guest of room.guests.values()) pass(room, guest, frame);
  else {
    const guest = room.guests.get(route);
    if (guest !== undefined) pass(room, guest, frame);
  }
}

function pass(room: Room, guest: Guest, frame: Buffer): void {
  const waiting = guest.socket.bufferedAmount;
  if (waiting > droppedBytes) {
    // The end itself waits behind all that it did not read.
    leave(room, guest);
    end(guest.socket, relayCodes.tooSlow);
    return;
  }
  guest.socket.send(frame, () => {
    const isHere = room.guests.get(guest.number) === guest;
    if (isHere && guest.isBehind && guest.socket.bufferedAmount < behindBytes / 2) setBehind(room, guest, false);
  });
  if (!guest.isBehind && waiting > behindBytes) setBehind(room, guest, true);
}

function leave(room: Room, guest: Guest): void {
  if (room.guests.delete(guest.number) && room.host !== undefined)
    tell(room.host, { type: "left", guest: guest.number });
}

function setBehind(room: Room, guest: Guest, isBehind: boolean): void {
  guest.isBehind = isBehind;
  if (room.host !== undefined) tell(room.host, { type: isBehind ? "behind" : "caught-up", guest: guest.number });
}

function hearHost(room: Room, text: string): void {
  const dropped = /^\{"type":"drop","guest":(\d{1,9})\}$/.exec(text);
  const guest = dropped === null ? undefined : room.guests.get(Number(dropped[1]));
  if (guest !== undefined) end(guest.socket, relayCodes.dropped);
}

function tell(socket: WebSocket, word: RelayWord): void {
  socket.send(JSON.stringify(word), () => undefined);
}

function tellGuests(room: Room, word: RelayWord): void {
  for (const { socket } of room.guests.values()) tell(socket, word);
}

function end(socket: WebSocket, code: number): void {
  socket.close(code, relayReasons[code]);
}
