/** Marks every process that one kedge starts as its own, so that a later one can end what a dead one left running. */
import type { LeaseHolder } from "@kedge/protocol";
import { killWhere, withMark } from "./marked-processes.ts";

type Environment = Readonly<Record<string, string>>;

const prefix = "kedge";

export function withOwner(environment: Environment, { boot, pid, startedAt }: LeaseHolder): Environment {
  return withMark(environment, [prefix, boot, pid, startedAt].join(":"));
}

/** Gives the number of processes that were ended. Those of an owner who still lives are left alone. */
export function endOrphans(boot: string, isAlive: (owner: LeaseHolder) => boolean): number {
  return killWhere((mark) => {
    const owner = ownerOf(mark);
    return owner?.boot === boot && !isAlive(owner);
  });
}

function ownerOf(mark: string): LeaseHolder | undefined {
  const [kind, boot, pid, startedAt, ...more] = mark.split(":");
  if (kind !== prefix || boot === undefined || startedAt === undefined || more.length > 0) return undefined;
  return { boot, pid: Number(pid), startedAt };
}
