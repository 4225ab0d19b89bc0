/** What a worker writes is drafted and not written: the disk sees all of it at once when the worker is done, or nothing. */
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { isJsonObject, type JsonObject, type Parsed, type Tool, type ToolOutput } from "@kedge/protocol";
import { plannedText, problemOf } from "../topics/session/memory-phase.ts";
import { isSlug } from "../topics/topic/topic.ts";

export type TopicDraftsParts = {
  readonly directory: string;
  /** Takes out secrets and marks. */
  readonly clean: (text: string) => string;
  readonly now: () => number;
  /** An empty text takes a topic away; refused without this. */
  readonly mayRemove?: true;
};

export interface TopicDrafts {
  /** In the place of the tools of these names, with their own words for the model. */
  replace(tool: Tool): Tool;
  /** By slug, in the order of the first writing; null where a topic is to be taken away. */
  drafts(): ReadonlyMap<string, string | null>;
}

const draftsMax = 20;

export function createTopicDrafts(parts: TopicDraftsParts): TopicDrafts {
  const { directory, clean } = parts;
  const drafts = new Map<string, string | null>();

  const currentText = (slug: string) => (drafts.has(slug) ? (drafts.get(slug) ?? undefined) : textOf(directory, slug));

  function draft(slug: string, text: string): ToolOutput {
    if (!drafts.has(slug) && drafts.size >= draftsMax)
      return refused(slug, `No more than ${draftsMax} topics at once.`);
    if (text.trim() === "") {
      if (!parts.mayRemove) return refused(slug, "The topic has no text.");
      drafts.set(slug, null);
      return { output: `${slug}.md will be removed.`, title: slug };
    }
    const problem = problemOf(slug, text, parts);
    if (problem !== undefined) return refused(slug, problem);
    drafts.set(slug, clean(text));
    return { output: `${slug}.md is drafted. It is saved when you are done.`, title: slug };
  }

  return {
    drafts: () => drafts,
    replace(tool) {
      if (tool.name !== "write" && tool.name !== "edit") return tool;
      const { name, description, inputSchema, resultCharactersMax } = tool;
      return {
        ...{ name, description, inputSchema, resultCharactersMax },
        parse: parseInput,
        // Nothing is touched: drafts are the worker's own.
        needs: () => [],
        readOnly: () => true,
        concurrencySafe: () => false,
        async run(input, { cwd }) {
          // `parseInput` gave it.
          const given = input as JsonObject & { readonly filePath: string };
          const slug = basename(resolve(cwd, given.filePath), ".md");
          const text = isSlug(slug) ? plannedText(given, currentText(slug)) : undefined;
          return text === undefined ? refused(slug, "Write the whole topic with `write`.") : draft(slug, text);
        },
      };
    },
  };
}

function parseInput(input: unknown): Parsed<unknown> {
  const isGiven = isJsonObject(input) && typeof input["filePath"] === "string";
  return isGiven ? { ok: true, input } : { ok: false, report: "filePath is missing." };
}

function refused(title: string, problem: string): ToolOutput {
  return { output: `Not drafted: ${problem}`, isError: true, title };
}

function textOf(directory: string, slug: string): string | undefined {
  try {
    return readFileSync(resolve(directory, `${slug}.md`), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
