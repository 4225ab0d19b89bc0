/** The door of one place of work: every command and every query goes to whoever answers it. Loads answers when asked. */
import type { Engine } from "@kedge/engine";
import type { Command, CommandAnswer, CommandOf, CommandType, Door } from "@kedge/protocol";
import type { HostDesk } from "./host-desk.ts";

/** The desk is made when the first host command, query or stream comes: a plain run has none of them. */
export function createDoor(engine: Engine, desk: () => Promise<HostDesk>): Door {
  return {
    async send<Type extends CommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>> {
      // One of the two answers every command; the compiler cannot follow the type of the command through the choice.
      const given = command as never;
      const { type } = command as Command;
      const answer = engine.handles(type) ? engine.send(given) : (await desk()).send(given);
      return (await answer) as CommandAnswer<Type>;
    },
    ask: async (query) => (await desk()).ask(query),
    subscribe: engine.subscribe,
    async *follow(options) {
      yield* (await desk()).events.follow(options);
    },
  };
}
