/** Where the agent works: model, directories, platform and date, as they are when the session is opened. */
import type { ContextSource, PromptParts, Workspace } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { prompt } from "../../prompt-texts.ts";

const environment = prompt(textBeside(import.meta.url, "../../prompts/environment.md"));

const signedReminders = prompt(textBeside(import.meta.url, "../../prompts/signed-reminders.md"));

/** Whoever gives the base prompt outright says this as well. The nonce is the session's own and stands in no shared text. */
export function createEnvironment(parts: PromptParts, { cwd, root }: Workspace, nonce?: () => string): ContextSource {
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
      const signed = nonce === undefined ? "" : `\n${fillSlots(signedReminders, { nonce: nonce() })}`;
      return [{ text: `${text}${signed}`, origin: cwd }];
    },
  };
}
