/** Where the agent works: model, directories, platform and date, as they are when the session is opened. */
import type { ContextSource, PromptParts, Workspace } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { prompt } from "../../prompt-texts.ts";

const environment = prompt(textBeside(import.meta.url, "../../prompts/environment.md"));

/** Whoever gives the base prompt outright says this as well. */
export function createEnvironment(parts: PromptParts, { cwd, root }: Workspace): ContextSource {
  const { platform, shell, isGitRepository, override } = parts;
  const date = parts.today();
  return {
    name: "environment",
    kind: "policy",
    place: "head",
    read({ model: { name, ref } }) {
      if (override !== undefined) return [];
      const named = name === undefined ? ref : `${name} (${ref})`;
      const git = isGitRepository ? "yes" : "no";
      const text = fillSlots(environment, { model: named, cwd, root, git, platform, shell, date });
      return [{ text, origin: cwd }];
    },
  };
}
