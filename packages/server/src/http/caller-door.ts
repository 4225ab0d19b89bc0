/** The door as one caller has it: the one place where the rights of callers are checked, for all commands and queries. */
import {
  type Command,
  type CommandAnswer,
  type CommandOf,
  type CommandRows,
  type CommandType,
  type Door,
  includesScope,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  type Scope,
} from "@kedge/protocol";
import { commandRows, queryRows, scopeOfCommand } from "@kedge/protocol/rows";
import type { Admissions, Caller } from "../admission/admissions.ts";
import { carryOutOfDevices } from "../devices/device-commands.ts";
import type { DeviceDesk } from "../devices/device-desk.ts";
import type { Instance } from "../places/instance.ts";
import type { Instances } from "../places/instances.ts";
import { checkProject, seesAllProjects } from "../places/stored-session.ts";
import { ProblemError } from "./failure-status.ts";

export type CallerDoor = Pick<Door, "send" | "ask">;

export type CallerDoorParts = {
  readonly commands: CommandRows;
  readonly caller: Caller;
  readonly instance: Instance;
  readonly admissions: Pick<Admissions, "issueTicket" | "issueCode">;
  readonly instances: Pick<Instances, "release">;
  readonly devices: DeviceDesk;
  /** Where the server is reached from this machine. */
  readonly address: () => string;
};

const takeUpAttemptsMax = 2;
const resumeRow = commandRows["session.resume"];

export function demandScope(caller: Caller, needed: Scope, what: string): void {
  if (includesScope(caller.scope, needed)) return;
  throw new ProblemError({
    status: 403,
    code: "scope",
    message: `${what} requires the scope ${needed}; this credential has ${caller.scope}.`,
    recovery: "Create a token with that scope: kedge token add.",
  });
}

export function openCallerDoor(parts: CallerDoorParts): CallerDoor {
  const { commands, caller, instance, admissions, instances, devices, address } = parts;
  const { door, isOpen } = instance;
  const demand = (needed: Scope, what: string) => demandScope(caller, needed, what);

  /** A command without a row is for nobody. */
  function scopeOf(command: Command): Scope {
    const row = commands[command.type];
    return row === undefined ? "admin" : scopeOfCommand(row, command);
  }

  /** Taking a session up writes to it, so that whoever may only read cannot. */
  async function sendToOpen(command: Command, sessionId: string): Promise<CommandAnswer<CommandType>> {
    for (let attempt = 1; ; attempt++) {
      if (!isOpen(sessionId)) {
        const resume = { type: "session.resume", sessionId } as const;
        demand(resumeRow.scope, "Opening a session");
        const taken = await door.send(await withinRights(resume));
        if (!taken.ok) return taken;
      }
      const answer = await door.send(command);
      // It may have been closed for lack of use just before the command came; then nothing was done yet.
      const wasClosed = !answer.ok && answer.failure.code === "not_found" && !isOpen(sessionId);
      if (!wasClosed || attempt === takeUpAttemptsMax) return answer;
    }
  }

  /** A free mode was chosen by somebody who may; whoever may not does not get it back by taking the session up. */
  async function withinRights(resume: CommandOf<"session.resume">): Promise<CommandOf<"session.resume">> {
    if (resume.mode !== undefined || includesScope(caller.scope, "approve") || isOpen(resume.sessionId)) return resume;
    const stored = await door.ask({ type: "session.read", sessionId: resume.sessionId });
    const kept = stored.ok ? { ...resume, mode: stored.value.session.mode } : undefined;
    const mayKeep = kept !== undefined && includesScope(caller.scope, scopeOfCommand(resumeRow, kept));
    return mayKeep ? resume : { ...resume, mode: "default" };
  }

  async function carryOut(command: Command): Promise<CommandAnswer<CommandType>> {
    // These are about the server, which no place of work knows.
    if (command.type === "ticket.issue") return { ok: true, value: admissions.issueTicket(caller) };
    if (command.type === "code.issue") {
      const { code, expiresAt } = admissions.issueCode(caller);
      return { ok: true, value: { code, expiresAt, url: `${address()}/#code=${code}` } };
    }
    const ofDevices = carryOutOfDevices(devices, caller, command);
    if (ofDevices !== undefined) return ofDevices;
    if (command.type === "instance.dispose") {
      await instances.release(instance);
      return { ok: true, value: {} };
    }
    // One that is created is in no project yet, whether or not its id was chosen.
    const isNew = command.type === "session.create";
    const sessionId = "sessionId" in command && !isNew ? command.sessionId : undefined;
    if (sessionId === undefined) return door.send(command);
    const leave = instance.use(sessionId);
    try {
      // In the directory of another project the model would work on the wrong files.
      await checkProject(instance, sessionId);
      if (commands[command.type]?.needsOpenSession === true) return await sendToOpen(command, sessionId);
      if (command.type === "session.resume") return await door.send(await withinRights(command));
      // The server itself holds it open as long as somebody may come back to it.
      if (command.type === "session.delete") {
        const closed = await door.send({ type: "session.close", sessionId });
        if (!closed.ok) return closed;
      }
      return await door.send(command);
    } finally {
      leave();
    }
  }

  function keepCount(command: Command, answer: CommandAnswer<CommandType>): void {
    if (!answer.ok) return;
    if (command.type === "session.close" || command.type === "session.delete") instance.forget(command.sessionId);
    // Held from now on, and closed when nobody uses it.
    else if (command.type === "session.create" && "sessionId" in answer.value) instance.use(answer.value.sessionId)();
  }

  return {
    async send<Type extends CommandType>(given: CommandOf<Type>): Promise<CommandAnswer<Type>> {
      // Every command is one of the union; the compiler cannot follow the type of the command through it.
      const command = given as Command;
      demand(scopeOf(command), `The command ${command.type}`);
      const answer = await carryOut(command);
      keepCount(command, answer);
      return answer as CommandAnswer<Type>;
    },
    async ask<Type extends QueryType>(query: QueryOf<Type>): Promise<QueryAnswer<Type>> {
      demand(queryRows[query.type].scope, `The query ${query.type}`);
      // The compiler does not narrow the answer by the type of the query.
      if (query.type === "device.list") return { ok: true, value: devices.list(caller) } as QueryAnswer<Type>;
      if ("sessionId" in query && query.sessionId !== undefined && !seesAllProjects(caller)) {
        await checkProject(instance, query.sessionId);
      }
      const answer = await door.ask(query);
      if (answer.ok && "isSecret" in answer.value && answer.value.isSecret === true) {
        demand("approve", "A file that contains secrets or is denied by a rule");
      }
      if (query.type !== "project.read" || !answer.ok) return answer;
      // Whoever knows what is refused need not offer it. The answer belongs to this query.
      return { ok: true, value: { ...answer.value, scope: caller.scope } } as QueryAnswer<Type>;
    },
  };
}
