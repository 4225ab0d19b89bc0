/** Skills as sources of context: the list at the start, those that join later, and those in use after a summary. */
import { createHash } from "node:crypto";
import {
  type ContextBlock,
  type ContextSource,
  type SessionState,
  sightedPath,
  type TreeItem,
  toolCalls,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { SessionSkills } from "./session-skills.ts";
import { type Skill, versionOf } from "./skill.ts";
import { block, entryOf, listingOf } from "./skill-listing.ts";

const intro = textBeside(import.meta.url, "./listing.md");

/** With the tool beside it, a first request grows by at most 8 KB. */
const listingBytesMax = 6_800;
const listingBytesMin = 2_400;
const bytesPerToken = 4;

const none: readonly ContextBlock[] = [];

/** For one session. */
export function createSkillSources(skills: SessionSkills, root: string): readonly ContextSource[] {
  return [listingSource(skills, root), joinedSource(skills, root), invokedSource(skills)];
}

function listingSource(skills: SessionSkills, root: string): ContextSource {
  let blocks: readonly ContextBlock[] | undefined;
  return {
    name: "skills",
    kind: "instruction",
    place: "head",
    read({ model, state }) {
      skills.refresh(state);
      if (blocks === undefined) {
        // A hundredth of what the model can take in, and enough for a few in any case.
        const share = (model.contextTokens / 100) * bytesPerToken;
        const bytesMax = Math.min(listingBytesMax, Math.max(listingBytesMin, share));
        const text = `${intro}\n${listingOf(skills.opening, { bytesMax, root })}`;
        blocks = skills.opening.length === 0 ? none : [{ text, origin: "skills", hash: digestOf(text) }];
      }
      return blocks;
    },
  };
}

function joinedSource(skills: SessionSkills, root: string): ContextSource {
  let made: readonly Skill[] = [];
  let blocks = none;
  return {
    name: "nearby skills",
    kind: "instruction",
    place: "turn",
    read({ state }) {
      skills.refresh(state);
      const joined = skills.joined();
      if (joined !== made) {
        made = joined;
        blocks = joined.map((skill) => ({
          text: `One more skill, for the files you work on:\n${block([entryOf(skill, { root })])}`,
          origin: skill.name,
          hash: versionOf(skill.definition),
        }));
      }
      return blocks;
    },
  };
}

const invokedTokensMax = 25_000;
const bodyCharactersMax = 15_000;

/** A summary does not keep the words of a skill that is at work. */
function invokedSource(skills: SessionSkills): ContextSource {
  let looked: SessionState["items"] | undefined;
  let blocks = none;
  return {
    name: "skills in use",
    kind: "instruction",
    place: "turn",
    tokensMax: invokedTokensMax,
    read({ state }) {
      if (state.items[0]?.type !== "compaction") return none;
      if (looked !== state.items) {
        looked = state.items;
        const shown = new Set(namesCalledIn(state.items));
        const called = new Set(namesCalledIn(sightedPath(state, state.leaf)));
        blocks = [...called].flatMap((name) => {
          const skill = shown.has(name) ? undefined : skills.find(name);
          return skill === undefined ? [] : [invokedBlock(skill)];
        });
      }
      return blocks;
    },
  };
}

function invokedBlock({ name, definition }: Skill): ContextBlock {
  const { body } = definition;
  const cut = body.length <= bodyCharactersMax ? body : `${body.slice(0, bodyCharactersMax)}\n[shortened]`;
  return {
    text: `You loaded the skill ${name} before the summary:\n${cut}`,
    origin: name,
    hash: versionOf(definition),
  };
}

function namesCalledIn(items: readonly TreeItem[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.type !== "answer") return [];
    return toolCalls(item.content).flatMap(({ tool, inputText }) =>
      tool.toLowerCase() === "skill" ? (/"name"\s*:\s*"([^"\\]+)"/.exec(inputText)?.[1] ?? []) : [],
    );
  });
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
