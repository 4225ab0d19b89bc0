/** Writes letters in the name of one member of a team, sealed with its key. */
import {
  encodeMessage,
  type Letter,
  type Mailboxes,
  type ProtocolMessage,
  sealLetter,
  type TeamPaths,
} from "@kedge/agents/teams";

export type PostParts = {
  readonly paths: TeamPaths;
  readonly mailboxes: Mailboxes;
  readonly name: string;
  readonly privateKey: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly redact: (text: string) => string;
};

export interface TeamPost {
  /** Words for a model. Gives the id of the letter. */
  write(to: string, text: string): Promise<string>;
  /** A message of the protocol. */
  send(to: string, message: ProtocolMessage): Promise<void>;
}

export function createTeamPost({ paths, mailboxes, name, privateKey, now, newId, redact }: PostParts): TeamPost {
  async function put(to: string, text: string): Promise<string> {
    const letter: Omit<Letter, "read" | "seal"> = { id: newId(), from: name, to, time: now(), text };
    await mailboxes.put(paths.inbox(to), { ...letter, seal: sealLetter({ ...letter }, privateKey) ?? "" });
    return letter.id;
  }
  return {
    // Files of a team are no place for secrets.
    write: (to, text) => put(to, redact(text)),
    send: async (to, message) => void (await put(to, encodeMessage(message))),
  };
}
