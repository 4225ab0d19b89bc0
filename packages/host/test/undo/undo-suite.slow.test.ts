/** Scripted runs with real tools on real folders: undo and redo give back every tree byte for byte. */
import { afterAll, describe, expect, test } from "vitest";
import { applied, type FileTree, linesOf, readTree } from "./file-tree.ts";
import { folderScenarios } from "./folder-scenarios.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { failedCalls, openSite, runAsUser, type UndoSite, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

/** The trees around each prompt. */
type Played = { readonly promptId: string; readonly before: FileTree; readonly after: FileTree };

async function play(site: UndoSite, sessionId: string, course: Scenario["course"]): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const part of course) {
    if ("user" in part) {
      runAsUser(site.root, part.user);
      continue;
    }
    const before = readTree(site.root);
    const facts = await site.prompt(sessionId, part);
    expect([...failedCalls(facts), ...site.notices()]).toEqual([]);
    const promptId = facts.find((fact) => fact.type === "prompt.admitted")?.promptId ?? "";
    played.push({ promptId, before, after: readTree(site.root) });
  }
  return played;
}

describe("undo one by one, redo one by one, and undo at once", () => {
  test.each([...scenarios, ...folderScenarios].map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_, scenario) => {
      const { kind = "git", setUp, course, uncovered = [] } = scenario;
      const place = sites.newPlace(kind);
      const site = await openSite({ place, kind });
      if (setUp !== undefined) runAsUser(site.root, setUp);
      const sessionId = await site.open();
      const played = await play(site, sessionId, course);
      const left = new Set<string>();
      for (const { before, after } of played.toReversed()) {
        const present = readTree(site.root);
        const undone = await site.engine.send({ type: "session.undo", sessionId });
        if (!undone.ok) throw new Error(undone.failure.message);
        for (const name of undone.value.uncovered) left.add(name);
        const expected = applied(present, { from: after, to: before }, uncovered);
        expect(linesOf(readTree(site.root))).toEqual(linesOf(expected));
      }
      expect([...left].sort()).toEqual([...uncovered].sort());
      for (const { before, after } of played) {
        const present = readTree(site.root);
        const redone = await site.engine.send({ type: "session.redo", sessionId });
        if (!redone.ok) throw new Error(redone.failure.message);
        const expected = applied(present, { from: before, to: after }, uncovered);
        expect(linesOf(readTree(site.root))).toEqual(linesOf(expected));
      }
      const [first] = played;
      const present = readTree(site.root);
      const atOnce = await site.engine.send({ type: "session.undo", sessionId, promptId: first?.promptId ?? "" });
      if (!atOnce.ok) throw new Error(atOnce.failure.message);
      const expected = played.reduceRight(
        (tree, { before, after }) => applied(tree, { from: after, to: before }, uncovered),
        present,
      );
      expect(linesOf(readTree(site.root))).toEqual(linesOf(expected));
      await site.engine.close();
    },
  );
});
