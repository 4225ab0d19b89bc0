/** Serves the letters of a worker in their order: requests to end, control, words of the leader, words of the others. */
import { sortLetters } from "./idle-order.ts";
import type { Letter } from "./mailbox.ts";
import type { ProtocolMessage } from "./protocol-messages.ts";
import { type Shutdown, shutdownNotice } from "./shutdown.ts";
import type { WorkerPorts } from "./worker-ports.ts";

export type ServedWorker = {
  readonly shutdown: Shutdown;
  /** Whether anything is under way that the model could have an opinion on. */
  readonly isAtWork: () => boolean;
  /** It may take tasks again. */
  readonly allowClaims: () => void;
  readonly wakeWith: (text: string) => Promise<void>;
};

type Ports = Pick<WorkerPorts, "session" | "name" | "isOfLeader" | "markRead" | "onDropped" | "onControl">;

export function createLetterService(ports: Ports, worker: ServedWorker): (letters: readonly Letter[]) => Promise<void> {
  const { session } = ports;
  const { shutdown, isAtWork, allowClaims, wakeWith } = worker;
  /** A letter whose mark was lost is met again, and not dealt with twice. */
  const served = new Set<string>();

  async function finish(done: readonly Letter[]): Promise<void> {
    for (const { id } of done) served.add(id);
    await ports.markRead(done.map(({ id }) => id));
  }

  async function obey(message: ProtocolMessage): Promise<void> {
    // The list says whose it is, and that it is begun; this only ends a rest.
    if (message.type === "task_assignment") allowClaims();
    else if (message.type === "interrupt") await session.interrupt();
    else await ports.onControl(message);
  }

  return async (letters) => {
    const fresh = letters.filter(({ id }) => !served.has(id));
    const { shutdown: requests, control, leader, peers, dropped } = sortLetters(fresh, ports.isOfLeader);
    if (dropped.length > 0) ports.onDropped(`${ports.name} ignored a message that claims to come from its leader.`);
    await finish(dropped);
    const request = requests.at(-1);
    if (request !== undefined) {
      shutdown.begin(String(request.message["requestId"]));
      if (isAtWork()) await session.instruct(shutdownNotice(String(request.message["reason"])));
      await finish(requests);
    }
    for (const { message } of control) await obey(message);
    await finish(control);
    // Words wait until it is decided whether anybody will be there to read them.
    if (shutdown.requestId !== undefined) return;
    for (const letter of leader) {
      allowClaims();
      await wakeWith(`Message from your leader (${letter.id}):\n\n${letter.text}`);
      await finish([letter]);
    }
    for (const letter of peers) {
      await session.inform(letter);
      await finish([letter]);
    }
  };
}
