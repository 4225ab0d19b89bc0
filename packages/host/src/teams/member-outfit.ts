/** What a member of a team is given beside its definition: its text, the tools of teams, and a limit for its questions. */
import type { OpenToolSource, SessionProfile, Tool, ToolSource } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

export type MemberOutfit = {
  readonly name: string;
  readonly team: string;
  readonly questionMs: number;
  /** It changes nothing before its plan is approved. */
  readonly plansFirst: boolean;
};

/** Whatever its list of tools says. */
const teamTools: readonly string[] = [
  "send_message",
  "team_create",
  "team_delete",
  "task_create",
  "task_get",
  "task_list",
  "task_update",
];

/** The way out of planning, which agents do not have. */
const planTool = "plan_exit";

export function memberProfile(
  profile: SessionProfile,
  { name, team, questionMs, plansFirst }: MemberOutfit,
): SessionProfile {
  const own = plansFirst ? [...teamTools, planTool] : teamTools;
  const { override, append, ...prompt } = profile.prompt;
  const { toolNames, excludedTools = [], permissionTimeoutMs = questionMs } = profile;
  const text = [teammateText(name, team), ...(plansFirst ? [planningText(name)] : [])].join("\n\n");
  return {
    ...profile,
    // The base text first, then that of a teammate, then that of its definition.
    prompt: { ...prompt, append: [text, append, override].filter((part) => part !== undefined).join("\n\n") },
    ...(plansFirst && { mode: "plan" as const }),
    ...(toolNames !== undefined && { toolNames: [...new Set([...toolNames, ...own])] }),
    excludedTools: excludedTools.filter((tool) => !own.includes(tool)),
    toolSources: profile.toolSources.map((source) => loadedAtOnce(source, own)),
    permissionTimeoutMs: Math.min(permissionTimeoutMs, questionMs),
    // A no of the user ends the call, not the work of the teammate.
    continueOnReject: true,
  };
}

/** Nobody reminds a teammate to look for the tools that it reports with. */
function loadedAtOnce(source: ToolSource, names: readonly string[]): ToolSource {
  return {
    ...source,
    open(session): OpenToolSource {
      const opened = source.open(session);
      const loaded = (tool: Tool): Tool => (names.includes(tool.name) ? { ...tool, alwaysLoad: true } : tool);
      return { ...opened, tools: () => opened.tools().map(loaded) };
    },
  };
}

function teammateText(name: string, team: string): string {
  return filled(textBeside(import.meta.url, "./teammate.md"), { name, team });
}

function planningText(name: string): string {
  return filled(textBeside(import.meta.url, "./planning-teammate.md"), { name });
}

export function leaderText(team: string, members: readonly string[]): string {
  return filled(textBeside(import.meta.url, "./leader.md"), { team, members: members.join(", ") || "none yet" });
}

function filled(text: string, values: { readonly [name: string]: string }): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
