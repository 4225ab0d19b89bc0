/** The Client of a program that keeps no account of which sessions are open: they are taken up when needed, as a server does. */
import type { Client, Command, CommandAnswer, CommandOf, CommandRows, CommandType, SendOptions } from "@kedge/protocol";
import { commandRows } from "@kedge/protocol/rows";

const rows: CommandRows = commandRows;

export function takingUpSessions(client: Client): Client {
  async function send<Type extends CommandType>(
    given: CommandOf<Type>,
    options?: SendOptions,
  ): Promise<CommandAnswer<Type>> {
    // Every command is one of the union; the compiler cannot follow the type of the command through it.
    const command = given as Command;
    if (command.type === "session.delete") {
      // Nobody but this program holds it open.
      const { sessionId } = command;
      const closed = await client.send<"session.close">({ type: "session.close", sessionId }, options);
      return closed.ok ? client.send<Type>(given, options) : closed;
    }
    const answer = await client.send<Type>(given, options);
    if (answer.ok || answer.failure.code !== "not_found") return answer;
    const sessionId = "sessionId" in command ? command.sessionId : undefined;
    if (sessionId === undefined || rows[command.type]?.needsOpenSession !== true) return answer;
    const resumed = await client.send<"session.resume">({ type: "session.resume", sessionId }, options);
    return resumed.ok ? client.send<Type>(given, options) : resumed;
  }

  return { ...client, send };
}
