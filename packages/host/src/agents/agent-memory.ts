/** Notes that an agent keeps between its tasks: a directory of its own, whose index it starts with. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "@kedge/agents/definitions";
import type { ContextSource } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";

export type AgentMemoryPlace = { readonly kedgeHome: string; readonly root: string };

const indexName = "MEMORY.md";
const linesMax = 200;
const bytesMax = 25 * 1024;

const folders = {
  user: ({ kedgeHome }: AgentMemoryPlace) => join(kedgeHome, "agent-memory"),
  project: ({ root }: AgentMemoryPlace) => join(root, ".kedge", "agent-memory"),
  local: ({ root }: AgentMemoryPlace) => join(root, ".kedge", "agent-memory-local"),
} as const;

/** Nothing where its definition wants none. What it wrote is data, because anybody may have changed it since. */
export function memorySources(
  { name, memory }: Pick<AgentDefinition, "name" | "memory">,
  place: AgentMemoryPlace,
): readonly ContextSource[] {
  if (memory === undefined) return [];
  const directory = join(folders[memory](place), name.replaceAll(/[^\w.-]+/g, "-"));
  const path = join(directory, indexName);
  const told = fillSlots(textBeside(import.meta.url, "./agent-memory.md").trim(), { directory });
  return [
    {
      name: "memory of the agent",
      kind: "instruction",
      place: "head",
      read: () => [{ text: told, origin: directory, hash: hashOf(told) }],
    },
    {
      name: "notes of the agent",
      kind: "data",
      place: "head",
      read() {
        const text = indexText(path);
        return text === "" ? [] : [{ text, origin: path, hash: hashOf(text) }];
      },
    },
  ];
}

/** Empty where there is none yet, or it cannot be read. */
function indexText(path: string): string {
  try {
    const text = readFileSync(path).subarray(0, bytesMax).toString("utf8");
    return text.split("\n").slice(0, linesMax).join("\n").trim();
  } catch {
    return "";
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
