/** `/skills`, `/commands`, `/output-style` and `/brief`: rows that load what they need when they run. */
import type { LocalAnswer, LocalCommand } from "@kedge/engine";
import type { SessionState } from "@kedge/protocol";
import type { ExtensionParts, Extensions } from "./open-extensions.ts";

export type LocalExtensionParts = Pick<ExtensionParts, "home" | "project" | "readFile" | "onNotice"> & {
  readonly extensions: Extensions;
  /** Whether a person types the prompts; programs that send the same words mean them. */
  readonly interactive: boolean;
};

export function localExtensionCommands(parts: LocalExtensionParts): readonly LocalCommand[] {
  const { extensions } = parts;
  return [
    {
      name: "skills",
      summary: "List skills, or run one: /skills <name> [arguments]",
      argumentHint: "[name]",
      run: async (argument, state, options, services) => {
        const [, name = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
        const found = await extensions.find("skill");
        if (name === "") return list(found, "No skills.");
        const skill = found.used.find((each) => each.name === name);
        if (skill === undefined) return { text: `No skill named ${name}. List skills with /skills.` };
        const { runDefinition } = await import("./extension-commands.ts");
        const { onUse } = extensions;
        return runDefinition(skill, { argument: rest, state, options, services }, { ...parts, onUse });
      },
    },
    {
      name: "commands",
      summary: "List custom commands and their problems",
      run: async () =>
        list(await extensions.find("command"), "No custom commands. Create one in .kedge/commands/name.md."),
    },
    {
      name: "output-style",
      summary: "List output styles, or switch to one (off: default)",
      argumentHint: "[name]",
      run: async (argument, state) => changeStyle(argument.trim(), state, extensions),
    },
    {
      name: "brief",
      summary: "Make answers shorter: lite, full, ultra, wenyan, off, status",
      argumentHint: "[level]",
      ...(parts.interactive && { phrases: briefPhrases }),
      run: async (argument, state) =>
        (await import("./brief-command.ts")).runBrief(argument, state, parts.home.directory),
    },
  ];
}

async function list(found: Awaited<ReturnType<Extensions["find"]>>, empty: string): Promise<LocalAnswer> {
  const { definitionsData, definitionsText, listDefinitions } = await import("./list-definitions.ts");
  const rows = listDefinitions(found);
  return { text: definitionsText(rows, empty), data: definitionsData(rows) };
}

async function changeStyle(name: string, state: SessionState, { find }: Extensions): Promise<LocalAnswer> {
  const { brevity, style } = state;
  const found = await find("style");
  if (name === "") {
    const present = `Output style: ${style?.name ?? "from settings"}.`;
    const listed = await list(found, "No output styles. Create one in .kedge/output-styles/name.md.");
    return "text" in listed ? { ...listed, text: `${present}\n${listed.text}` } : listed;
  }
  const kept = brevity === undefined ? {} : { brevity };
  if (name === "off" || name === "default")
    return { text: "Output style: off.", style: { ...kept, style: { name: "off", text: "" } } };
  const { styleText } = await import("@kedge/extend/styles");
  const chosen = styleText(name, found.used);
  if (chosen === undefined) return { text: `No output style named ${name}. List them with /output-style.` };
  return { text: `Output style: ${chosen.name}.`, style: { ...kept, style: chosen } };
}

/** Whole prompts that switch brevity. */
const briefPhrases: { readonly [phrase: string]: string } = {
  "be brief": "full",
  "less tokens": "full",
  "fewer words": "full",
  "caveman mode": "full",
  "talk like caveman": "full",
  "normal mode": "off",
  "stop brief": "off",
  "stop caveman": "off",
};
