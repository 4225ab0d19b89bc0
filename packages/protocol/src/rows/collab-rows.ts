/** Rows of sharing: who is shown a session live, and sealed snapshots of it. */
import { flag, list, number, object, optional, text, textWithin, words, yes } from "../json/schema.ts";
import type { CommandRows, QueryRows } from "./row.ts";
import { sessionId, shortId, time } from "./words.ts";

/** A number that the relay gave, as text because it stands in paths. */
const guest = shortId;
const rights = words("view", "full");

const link = object({
  /** Opens in a browser, and in kedge. */
  page: text,
  /** For `kedge join`. */
  join: text,
});

/** Without the links, which are the keys. */
const sharing = object({
  isShared: flag,
  /** False while the relay cannot be reached. */
  isConnected: flag,
  relay: optional(text),
  guests: list(object({ guest: number, name: text, rights })),
  refusals: list(object({ guest: text, what: text, why: text, at: time })),
});

export const collabCommandRows = {
  /**
   * Shows a session live. Without a confirmation nothing is sent, and the answer says what guests would see. A session
   * that is already shared keeps its links.
   */
  "collab.start": {
    route: "POST /session/:sessionId/collab",
    scope: "admin",
    fields: { sessionId, relay: optional(textWithin({ minLength: 1, maxLength: 500 })), isConfirmed: optional(yes) },
    answer: object({
      isShared: flag,
      relay: text,
      /** What guests see, in a few sentences. */
      shows: text,
      /** For whoever may prompt, and for whoever may only look. */
      full: optional(link),
      view: optional(link),
    }),
    needsOpenSession: true,
  },
  "collab.stop": {
    route: "DELETE /session/:sessionId/collab",
    scope: "admin",
    fields: { sessionId },
    answer: object({ wasShared: flag }),
  },
  "collab.rights": {
    route: "PATCH /session/:sessionId/collab/guest/:guest",
    scope: "admin",
    fields: { sessionId, guest, rights },
    answer: object({}),
  },
  /** Removes a guest. All others move to a new room, whose keys the removed guest does not have. */
  "collab.kick": {
    route: "DELETE /session/:sessionId/collab/guest/:guest",
    scope: "admin",
    fields: { sessionId, guest },
    answer: object({ full: link, view: link }),
  },
  /** New links; everybody who is there moves along, and the old links lead nowhere. */
  "collab.rotate": {
    route: "POST /session/:sessionId/collab/rotate",
    scope: "admin",
    fields: { sessionId },
    answer: object({ full: link, view: link }),
  },
  /** Uploads a sealed copy of a session. Without a confirmation nothing is sent, and the answer says what would be. */
  "share.create": {
    route: "POST /session/:sessionId/share",
    scope: "admin",
    fields: { sessionId, isConfirmed: optional(yes), withSecrets: optional(yes) },
    answer: object({
      isUploaded: flag,
      /** Where it goes: a relay, or the file of the user's own upload handler. */
      server: text,
      /** The copy is a page that is not encrypted, and `link` whatever the handler says. */
      isHandler: optional(yes),
      /** Of the sealed copy. */
      bytes: number,
      /** How many texts were replaced because they look like secrets. */
      secrets: number,
      shareId: optional(text),
      link: optional(text),
      expiresAt: optional(time),
    }),
  },
  "share.revoke": {
    route: "DELETE /share/:shareId",
    scope: "admin",
    fields: { shareId: shortId },
    answer: object({}),
  },
} as const satisfies CommandRows;

export const collabQueryRows = {
  "collab.status": {
    route: "GET /session/:sessionId/collab",
    scope: "read",
    fields: { sessionId },
    answer: sharing,
  },
  "share.list": {
    route: "GET /share",
    scope: "admin",
    fields: {},
    answer: object({
      shares: list(object({ shareId: text, sessionId: text, server: text, createdAt: time, expiresAt: time })),
    }),
  },
} as const satisfies QueryRows;
