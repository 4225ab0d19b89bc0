/** What the user said to servers of projects, and what their tools were like then: in kedge's own directory. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";

type Texts = { readonly [name: string]: string };

type Record = {
  /** By the root of the project: names of servers with the signature that was approved. */
  readonly approved: { readonly [root: string]: Texts };
  /** By the signature of a server: names of tools with the digest of their first description. */
  readonly tools: { readonly [signature: string]: Texts };
};

const format = 1;
const nothing: Record = { approved: {}, tools: {} };

export interface Approvals {
  isApproved(name: string, signature: string): boolean;
  approve(name: string, signature: string): void;
  forget(name: string): void;
  /** The digest under which the tool was first known; learns this one where there is none. */
  firstDigest(signature: string, tool: string, digest: string): string;
  /** The user has seen what the tools of a server say now. */
  acceptTools(signature: string): void;
}

export function openApprovals(home: string, root: string): Approvals {
  const path = join(home, "mcp-approvals.json");
  let known: Record | undefined;
  const now = () => {
    known ??= readRecord(path);
    return known;
  };
  const change = (make: (record: Record) => Record) => {
    whileLocked(path, () => {
      known = make(readRecord(path));
      replaceFile(path, `${JSON.stringify({ format, ...known }, undefined, 2)}\n`);
    });
  };
  const learned = new Map<string, Map<string, string>>();
  let isWriting = false;
  /** Where it cannot be written it is known to this process all the same, and learned again by the next one. */
  const attempt: typeof change = (make) => {
    try {
      change(make);
    } catch (error) {
      if (!(error instanceof Error && ("code" in error || "errcode" in error))) throw error;
    }
  };
  const keepLearned = () => {
    isWriting = false;
    const entries = [...learned];
    attempt((record) => {
      const tools = entries.map(([signature, digests]) => [
        signature,
        { ...Object.fromEntries(digests), ...record.tools[signature] },
      ]);
      return { ...record, tools: { ...record.tools, ...Object.fromEntries(tools) } };
    });
  };
  const ofProject = (record: Record, entries: Texts): Record => ({
    ...record,
    approved: { ...record.approved, [root]: entries },
  });
  return {
    isApproved: (name, signature) => now().approved[root]?.[name] === signature,
    approve: (name, signature) =>
      change((record) => ofProject(record, { ...record.approved[root], [name]: signature })),
    forget(name) {
      if (now().approved[root]?.[name] === undefined) return;
      change((record) => {
        const { [name]: _, ...rest } = record.approved[root] ?? {};
        return ofProject(record, rest);
      });
    },
    firstDigest(signature, tool, digest) {
      const first = now().tools[signature]?.[tool] ?? learned.get(signature)?.get(tool);
      if (first !== undefined) return first;
      // A server brings all its tools at once, and they are written at once.
      if (!isWriting) setImmediate(keepLearned);
      isWriting = true;
      learned.set(signature, (learned.get(signature) ?? new Map()).set(tool, digest));
      return digest;
    },
    acceptTools(signature) {
      learned.delete(signature);
      change((record) => {
        const { [signature]: _, ...tools } = record.tools;
        return { ...record, tools };
      });
    },
  };
}

/** What cannot be read approves nothing. */
function readRecord(path: string): Record {
  if (!existsSync(path)) return nothing;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(value) || value["format"] !== format) return nothing;
    return { approved: textsIn(value["approved"]), tools: textsIn(value["tools"]) };
  } catch {
    return nothing;
  }
}

function textsIn(value: unknown): { readonly [name: string]: Texts } {
  if (!isJsonObject(value)) return {};
  const made: { [name: string]: Texts } = {};
  for (const [name, each] of Object.entries(value)) {
    if (!isJsonObject(each)) continue;
    const texts = Object.entries(each).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    made[name] = Object.fromEntries(texts);
  }
  return made;
}
