/** Slash commands that need no model: they read the folded state of the session and answer in text and data. */
import type { LocalCommand } from "@kedge/engine";
import type { SessionState } from "@kedge/protocol";

export function createLocalCommands(facts: { readonly kedgeVersion: string; readonly home: string }): LocalCommand[] {
  const commands: LocalCommand[] = [
    { name: "help", summary: "lists these commands", run: async () => ({ text: helpText(commands) }) },
    { name: "cost", summary: "shows what this session has used and cost", run: async (_, state) => costOf(state) },
    {
      name: "status",
      summary: "shows session, model, mode and directory",
      run: async (_, state) => statusOf(state, facts),
    },
  ];
  return commands;
}

function helpText(commands: readonly LocalCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `/${name.padEnd(width)}  ${summary}`).join("\n");
}

const dollarDigits = 4;

function costOf({ usage, cost, turns }: SessionState) {
  const price = `$${cost.usd.toFixed(dollarDigits)}${cost.estimated ? " (estimated)" : ""}`;
  const lines = [
    `cost          ${price}`,
    `model calls   ${turns}`,
    `input tokens  ${usage.input} (${usage.cacheRead} more read from the cache, ${usage.cacheWrite} written to it)`,
    `output tokens ${usage.output} (${usage.reasoning} of them reasoning)`,
  ];
  return { text: lines.join("\n"), data: { usage: { ...usage }, cost: { ...cost }, turns } };
}

function statusOf(state: SessionState, facts: { readonly kedgeVersion: string; readonly home: string }) {
  const { sessionId, title, model, mode, directory } = state;
  const status = {
    version: facts.kedgeVersion,
    session: sessionId,
    title,
    model: model === "" ? "none configured" : model,
    mode,
    directory,
    home: facts.home,
  };
  const width = Math.max(...Object.keys(status).map((name) => name.length));
  const lines = Object.entries(status).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return { text: lines.join("\n"), data: status };
}
