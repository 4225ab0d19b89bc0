/** The Client of a program that keeps no account of which sessions are open: they are taken up when needed, as a server does. */
import type { Client, Command, CommandAnswer, CommandOf, CommandType, SendOptions } from "@kedge/protocol";

/** These find what they need in a session that is not open, or mean what an open one waits for. */
const openToAll: ReadonlySet<CommandType> = new Set<CommandType>([
  "session.create",
  "session.resume",
  "session.close",
  "session.update",
  "session.fork",
  "permission.answer",
  "question.answer",
  "shell.abort",
  "task.stop",
  "retry.hasten",
]);

export function takingUpSessions(client: Client): Client {
  async function send<Type extends CommandType>(
    given: CommandOf<Type>,
    options?: SendOptions,
  ): Promise<CommandAnswer<Type>> {
    // Every command is one of the union; the compiler cannot follow the type of the command through it.
    const command = given as Command;
    if (openToAll.has(command.type) || !("sessionId" in command) || command.sessionId === undefined) {
      return client.send<Type>(given, options);
    }
    const { sessionId } = command;
    if (command.type === "session.delete") {
      // Nobody but this program holds it open.
      const closed = await client.send<"session.close">({ type: "session.close", sessionId }, options);
      return closed.ok ? client.send<Type>(given, options) : closed;
    }
    const answer = await client.send<Type>(given, options);
    if (answer.ok || answer.failure.code !== "not_found") return answer;
    const resumed = await client.send<"session.resume">({ type: "session.resume", sessionId }, options);
    return resumed.ok ? client.send<Type>(given, options) : resumed;
  }

  return { ...client, send };
}
