/** A source of context that shows the git branch: once at first, and again when another one is checked out. */
import { readFileSync } from "node:fs";
import type { ContextSource } from "@kedge/protocol";

export function createGitBranchSource(root: string): ContextSource {
  return {
    name: "git branch",
    kind: "data",
    place: "turn",
    read() {
      const head = readFileSync(`${root}/.git/HEAD`, "utf8").trim();
      return [{ origin: ".git/HEAD", hash: head, text: head.replace("ref: refs/heads/", "On branch ") }];
    },
  };
}
