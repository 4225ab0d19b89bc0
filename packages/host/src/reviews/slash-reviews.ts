/** `/security-review` and `/fleet-review`: which finders a review has, and who hears of its end. */
import type { LocalAnswer } from "@kedge/engine";
import { counted, fenceText, type Json, type SessionState } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { OpenedProof } from "../proof/open-proof.ts";
import { openCheckout } from "../worktrees/open-worktrees.ts";
import { estimateUsd } from "./estimate-cost.ts";
import type { Finding } from "./finding.ts";
import { type FrozenDiff, freezeDiff } from "./frozen-diff.ts";
import { openFrozenPlace } from "./frozen-place.ts";
import { reviewReport } from "./review-report.ts";
import { type Finder, type ReviewResult, runReview } from "./run-review.ts";

export type ReviewDesk = { readonly proof: OpenedProof; readonly agents: OpenedAgents };

type SecurityData = { readonly [list in "categories" | "exclusions" | "precedents"]: readonly string[] };
type Lens = { readonly name: string; readonly look: string };

const timeLimitMs = 25 * 60_000;
const reviewersDefault = 6;
const diffCharactersMax = 200_000;

export async function runSecurityReview(argument: string, state: SessionState, desk: ReviewDesk): Promise<LocalAnswer> {
  const control = controlOf("security-review", argument, state.sessionId);
  if (control !== undefined) return control;
  const diff = await openDiff(argument, desk);
  if ("refusal" in diff) return { text: diff.refusal };
  const data = JSON.parse(textBeside(import.meta.url, "./data/security.json")) as SecurityData;
  const { categories, exclusions, precedents } = data;
  const slots = { categories: listed(categories), exclusions: listed(exclusions), precedents: listed(precedents) };
  const prompt = fillSlots(textBeside(import.meta.url, "./texts/security-finder.md"), { ...slots, diff: fenced(diff) });
  const rules = `Not a finding:\n${slots.exclusions}\n\nPrecedents:\n${slots.precedents}`;
  const finders = [{ lens: "security", agent: "reviewer", prompt }];
  return start({ command: "security-review", title: "Security review", finders, rules }, state.sessionId, desk);
}

export async function runFleetReview(argument: string, state: SessionState, desk: ReviewDesk): Promise<LocalAnswer> {
  const control = controlOf("fleet-review", argument, state.sessionId);
  if (control !== undefined) return control;
  const [, given] = /--reviewers\s+(\d+)/.exec(argument) ?? [];
  const lenses = JSON.parse(textBeside(import.meta.url, "./data/lenses.json")) as readonly Lens[];
  const count = Number(given ?? reviewersDefault);
  if (count < 1 || count > lenses.length) return { text: `Choose from 1 to ${lenses.length} reviewers.` };
  const words = argument.replace(/--reviewers\s+\d+|--yes/g, "").trim();
  const diff = await openDiff(words, desk);
  if ("refusal" in diff) return { text: diff.refusal };
  const question = argument.includes("--yes") ? undefined : await costQuestion(count, diff, state, desk);
  if (question !== undefined) return { text: question };
  const finders = lenses.slice(0, count).map(({ name, look }): Finder => {
    const slots = { lens: name, look, diff: fenced(diff) };
    const prompt = fillSlots(textBeside(import.meta.url, "./texts/lens-finder.md"), slots);
    return { lens: name, agent: "reviewer", prompt };
  });
  return start({ command: "fleet-review", title: "Fleet review", finders, rules: "" }, state.sessionId, desk);
}

/** Undefined where the review may start at once. What nobody can estimate is asked about as well. */
async function costQuestion(
  reviewers: number,
  { text }: FrozenDiff,
  state: SessionState,
  { proof }: ReviewDesk,
): Promise<string | undefined> {
  const { models, configuration } = proof.parts;
  const found = await models.find(state.model, state.model);
  const prices = found.ok ? found.model.prices : undefined;
  // About as many judges as reviewers.
  const usd = estimateUsd(state, { agents: reviewers * 2, diffCharacters: text.length, prices });
  const limit = configuration.agents.confirmUsd;
  if (usd !== undefined && usd <= limit) return undefined;
  const about = usd === undefined ? "cannot be estimated" : `is about $${usd.toFixed(2)}, above agents.confirmUsd`;
  return `The cost of ${counted(reviewers, "reviewer")} ${about}. To start it anyway, run /fleet-review --yes.`;
}

type Review = {
  readonly command: "security-review" | "fleet-review";
  readonly title: string;
  readonly finders: readonly Finder[];
  /** What a judge goes by. */
  readonly rules: string;
};

/** Reviews under way and reports that wait to be shown, by session. */
const running = new Map<string, AbortController>();
const waiting = new Map<string, LocalAnswer>();

async function start(review: Review, sessionId: string, { proof, agents }: ReviewDesk): Promise<LocalAnswer> {
  if (running.has(sessionId)) return { text: "A review is already running. Wait for it or stop it." };
  const { interactive, onNotice } = proof.parts;
  const stop = new AbortController();
  running.set(sessionId, stop);
  const frozen = await openFrozenPlace(proof.parts);
  if (typeof frozen === "string") {
    running.delete(sessionId);
    return { text: frozen };
  }
  const reviewing = runReview(
    { sessionId, finders: review.finders, filterPrompt: filterFor(review), timeLimitMs, signal: stop.signal },
    { runs: await agents.runs(), place: frozen.place, startTimer, ...(interactive && { onProgress: onNotice }) },
  ).finally(async () => {
    running.delete(sessionId);
    await frozen.close();
  });
  if (!interactive) return answerOf(review, await reviewing);
  void reviewing.then(async (result) => {
    waiting.set(sessionId, answerOf(review, result));
    onNotice(`${review.title}: done with ${counted(result.findings.length, "finding")}.`);
    await proof.type(sessionId, `/${review.command} show`);
  });
  const count = review.finders.length;
  const text = `${review.title} started with ${counted(count, "reviewer")}. Stop it with /${review.command} stop.`;
  return { text };
}

function answerOf({ title }: Review, result: ReviewResult): LocalAnswer {
  return { text: reviewReport(title, result), data: JSON.parse(JSON.stringify(result)) as Json };
}

function controlOf(command: Review["command"], argument: string, sessionId: string): LocalAnswer | undefined {
  if (argument === "stop") {
    const stop = running.get(sessionId);
    stop?.abort();
    return { text: stop === undefined ? "No review is running." : `Stopping /${command}.` };
  }
  if (argument !== "show") return undefined;
  const report = waiting.get(sessionId);
  waiting.delete(sessionId);
  return report ?? { text: "No report is waiting." };
}

/** Before anything starts: a review of nothing costs nothing. */
async function openDiff(against: string, { proof }: ReviewDesk): Promise<FrozenDiff | { readonly refusal: string }> {
  const opened = openCheckout(proof.parts);
  if (!opened.ok) return { refusal: opened.failure.message };
  const diff = await freezeDiff(opened.value.repository, against === "" ? undefined : against);
  if (diff.ok) return diff.value;
  return { refusal: [diff.failure.message, diff.failure.recovery ?? ""].join(" ").trim() };
}

function fenced({ text, base }: FrozenDiff): string {
  const isCut = text.length > diffCharactersMax;
  const shown = isCut ? `${text.slice(0, diffCharactersMax)}\n[cut: read the rest of the files yourself]` : text;
  return fenceText(shown, { source: "diff", base: base.slice(0, 12) });
}

function filterFor({ rules }: Review) {
  const template = textBeside(import.meta.url, "./texts/filter.md");
  return ({ file, line, endLine, severity, category, scenario, fix }: Finding) => {
    const finding = JSON.stringify({ file, line, endLine, severity, category, scenario, fix }, undefined, 1);
    return fillSlots(template, { finding: fenceText(finding, { source: "finding" }), rules });
  };
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function startTimer(work: () => void, delayMs: number): () => void {
  const timer = setTimeout(work, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}
