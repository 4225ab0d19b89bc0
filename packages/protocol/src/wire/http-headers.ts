/** What HTTP adds to the rows: the version that both sides speak, and the headers they understand. */

/** The first number changes when a client of the old one would misread the server. */
export const protocolVersion = "1.0";

/** Whether somebody who speaks this version is understood here. */
export function isSpokenProtocol(version: string): boolean {
  return majorOf(version) === majorOf(protocolVersion);
}

function majorOf(version: string): string {
  return version.split(".", 1)[0] ?? "";
}

export const headerNames = {
  /** Whose place of work a request is about; the server's own without it. */
  directory: "x-kedge-directory",
  protocol: "x-kedge-protocol",
  idempotencyKey: "idempotency-key",
  lastEventId: "last-event-id",
} as const;
