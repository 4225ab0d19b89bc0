/** The slash commands of proof and reviews: rows that load what they need when they run. */
import type { LocalCommand } from "@kedge/engine";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { OpenedProof } from "./open-proof.ts";

export function proofCommands(proof: OpenedProof, agents: OpenedAgents | undefined): readonly LocalCommand[] {
  const commands = [...workCommands(proof), ...(agents === undefined ? [] : agentCommands(proof, agents))];
  // Many projects have a command named review.
  return commands.map((command) => ({ ...command, yields: true }));
}

function workCommands(proof: OpenedProof): readonly LocalCommand[] {
  return [
    {
      name: "reproduce",
      summary: "Prove a bug fix with a test that fails without it and passes with it",
      argumentHint: "<issue> | check",
      run: async (argument, { sessionId }) =>
        (await import("./slash-reproduce.ts")).runSlashReproduce(argument.trim(), sessionId, proof),
    },
    {
      name: "test-gen",
      summary: "Write tests for a file and grade them",
      argumentHint: "<file>[:from-to]",
      run: async (argument, { sessionId }) =>
        (await import("./slash-test-gen.ts")).runSlashTestGen(argument.trim(), sessionId, proof),
    },
    {
      name: "edit",
      summary: "Make one change in one place, show it and run the nearest tests",
      argumentHint: "<file>[:line] <change>",
      run: async (argument) => (await import("./slash-edit.ts")).runSlashEdit(argument.trim(), proof),
    },
    {
      name: "land",
      summary: "Merge worktree branches onto a new branch, running the tests after each",
      argumentHint: "[worktree...] [--test <command>] | undo",
      run: async (argument) => (await import("../landing/slash-land.ts")).runSlashLand(argument.trim(), proof.parts),
    },
    {
      name: "review",
      summary: "Review the changes, a range of commits or a pull request",
      argumentHint: "[range | pull request]",
      run: async (argument) =>
        (await import("../reviews/slash-review.ts")).runSlashReview(argument.trim(), proof.parts),
    },
  ];
}

/** Those that start agents. */
function agentCommands(proof: OpenedProof, agents: OpenedAgents): readonly LocalCommand[] {
  const orders = async () => import("../reviews/slash-reviews.ts");
  return [
    {
      name: "localize",
      summary: "Find the code that a report is about",
      argumentHint: "<report>",
      run: async (argument, { sessionId }) =>
        (await import("./slash-localize.ts")).runSlashLocalize(argument.trim(), sessionId, { proof, agents }),
    },
    {
      name: "security-review",
      summary: "Look for vulnerabilities in the changes and verify each finding",
      argumentHint: "[base] | stop",
      run: async (argument, state) => (await orders()).runSecurityReview(argument.trim(), state, { proof, agents }),
    },
    {
      name: "fleet-review",
      summary: "Review the changes with several agents, each with a different focus",
      argumentHint: "[base] [--reviewers <n>] [--yes] | stop",
      run: async (argument, state) => (await orders()).runFleetReview(argument.trim(), state, { proof, agents }),
    },
  ];
}
