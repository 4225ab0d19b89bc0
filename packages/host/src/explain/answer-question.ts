/** One question about a decision as a JSON object, answered as another: for scripts, and for those who try out rules. */
import { isAbsolute, resolve } from "node:path";
import type { CallExplanation } from "@kedge/engine";
import { guardText } from "@kedge/memory/text-guard";
import { isJsonObject, type Json, type JsonObject, type TextChannel, textChannels } from "@kedge/protocol";
import { createLookAtPath, type DnsAnswers, judgeUrlJourney, lookUpIn, type UrlPolicy } from "@kedge/sandbox";
import { checkScript } from "@kedge/sandbox/shell";
import { explainCommand, explainToolCall, type PermissionSurroundings } from "./explain-permission.ts";
import { fetchScript, isAddress, readScriptFile, type ScriptParts, scriptOf } from "./read-script.ts";

export const explainedSubjects = ["permission", "path", "url", "text", "script"] as const;

export type ExplainedSubject = (typeof explainedSubjects)[number];

type Question = { readonly [member: string]: unknown };

export type Explainer = {
  /** Rejects nothing: a question that makes no sense is answered with `error`. */
  answer(subject: ExplainedSubject, question: unknown): Promise<JsonObject>;
};

export type ExplainerParts = PermissionSurroundings & {
  /** How scripts are fetched. */
  readonly web: ScriptParts;
  /** All addresses of a name; undefined when it cannot be looked up. */
  readonly lookUp: (name: string) => Promise<readonly string[] | undefined>;
};

export function createExplainer(parts: ExplainerParts): Explainer {
  const { cwd, root, home, addedDirectories: added = [] } = parts;
  const answers: {
    readonly [Subject in ExplainedSubject]: (question: Question) => JsonObject | Promise<JsonObject>;
  } = {
    permission: (question) => permission(question, parts),
    path: ({ path, cwd: from = cwd, root: within = root }) => {
      if (!isText(path) || !isText(from) || !isText(within)) return wrong("path, cwd and root must be strings");
      // As it is written, because the judge follows links before it goes upwards.
      const named = /^~(?=\/|$)/.test(path) ? home + path.slice(1) : isAbsolute(path) ? path : `${from}/${path}`;
      const isForeignHome = /^~[^/]/.test(path);
      const isOutside =
        path === "" || isForeignHome || createLookAtPath({ root: within, added })(named).place === "outside";
      return { verdict: isOutside ? "outside" : "inside" };
    },
    url: (question) => url(question, parts),
    text: ({ text, channel = "tool" }) => {
      if (!isText(text)) return wrong("text must be a string");
      const known = textChannels.find((each) => each === channel);
      if (known === undefined) return wrong(`channel must be one of ${textChannels.join(", ")}`);
      return { ...guardText(text, known satisfies TextChannel) };
    },
    script: (question) => script(question, parts),
  };
  return {
    async answer(subject, question) {
      if (!isJsonObject(question)) return wrong("expected a JSON object");
      const answer = await answers[subject](question);
      // What was read from JSON can be written as JSON.
      return question["id"] === undefined ? answer : { id: question["id"] as Json, ...answer };
    },
  };
}

function permission(question: Question, parts: ExplainerParts): JsonObject {
  const { command, rules, tool = "bash", cwd = parts.cwd, root } = question;
  if (!isText(command) || !isText(tool) || !isText(cwd)) return wrong("command, tool and cwd must be strings");
  if (rules === undefined) return told(explainToolCall(tool, command, { ...parts, cwd }));
  const place = { cwd, home: homeOf(cwd, parts.home), ...(isText(root) && { root }) };
  const explained = explainCommand(command, rules, place);
  return explained.ok ? told(explained.explanation) : wrong(explained.problem);
}

/** A question about another machine's directory means the home that holds it. */
function homeOf(cwd: string, home: string): string {
  if (cwd === home || cwd.startsWith(`${home}/`)) return home;
  return /^\/(?:home|Users)\/[^/]+/.exec(cwd)?.[0] ?? home;
}

function told({ verdict, parts, why }: CallExplanation): JsonObject {
  return {
    verdict,
    parts: parts.map(({ permission: name, text, verdict: part, rule, why: reason, sources }) => ({
      permission: name,
      text,
      verdict: part,
      rule: rule === undefined ? null : { ...rule },
      why: reason,
      ...(sources.length > 1 && { sources: sources.map((each) => ({ ...each })) }),
    })),
    why,
  };
}

/** `script` is the text itself, `source` a file or an address. */
async function script({ script: text, source, cwd }: Question, parts: ExplainerParts): Promise<JsonObject> {
  if (!isText(text) && !isText(source)) return wrong("script or source must be a string");
  const from = isText(cwd) ? cwd : parts.cwd;
  const read = isText(text)
    ? scriptOf("The script", Buffer.from(text))
    : isText(source) && isAddress(source)
      ? await fetchScript(source, parts.web)
      : readScriptFile(resolve(from, String(source)));
  return read.ok ? { findings: checkScript(read.text).map((finding) => ({ ...finding })) } : wrong(read.problem);
}

async function url(question: Question, { lookUp }: ExplainerParts): Promise<JsonObject> {
  const { url: address, dns, redirects = [], policy } = question;
  if (!isText(address)) return wrong("url must be a string");
  if (!isTexts(redirects)) return wrong("redirects must be a list of strings");
  const wrongPolicy = policy === undefined ? undefined : describeWrongPolicy(policy);
  if (wrongPolicy !== undefined) return wrong(wrongPolicy);
  const names = dns === undefined ? undefined : dnsOf(dns);
  if (dns !== undefined && names === undefined) return wrong("dns must map names to lists of addresses");
  const { verdict, why } = await judgeUrlJourney({
    url: address,
    redirects,
    lookUp: names === undefined ? lookUp : lookUpIn(names),
    ...(isJsonObject(policy) && { policy: policyOf(policy) }),
  });
  return { verdict, why };
}

function dnsOf(value: unknown): DnsAnswers | undefined {
  if (!isJsonObject(value)) return undefined;
  const lists = Object.entries(value).map(([name, list]) => [name, isText(list) ? [list] : list] as const);
  const isSound = lists.every(([, list]) => Array.isArray(list) && list.every((each) => isText(each) || isTexts(each)));
  // Every member was just looked at.
  return isSound ? (Object.fromEntries(lists) as DnsAnswers) : undefined;
}

/** A policy that is misread must not open anything. */
function describeWrongPolicy(policy: unknown): string | undefined {
  if (!isJsonObject(policy)) return "policy must be an object";
  const known = ["allow_hosts", "only_hosts"];
  const unknown = Object.keys(policy).find((name) => !known.includes(name));
  if (unknown !== undefined) return `policy has no ${JSON.stringify(unknown)}; it has ${known.join(" and ")}`;
  const isSound = known.every((name) => policy[name] === undefined || isTexts(policy[name]));
  return isSound ? undefined : "allow_hosts and only_hosts must be lists of strings";
}

function policyOf({ allow_hosts: allowHosts, only_hosts: onlyHosts }: Question): UrlPolicy {
  return { ...(isTexts(allowHosts) && { allowHosts }), ...(isTexts(onlyHosts) && { onlyHosts }) };
}

function wrong(problem: string): JsonObject {
  return { error: problem };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
