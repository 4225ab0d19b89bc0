/** Admission itself: puts its checks in their order. */
import type { IncomingMessage } from "node:http";
import { FailureError } from "@kedge/protocol";
import { type AddressSettings, createAddressCheck } from "./address-check.ts";
import { isLoopbackHost } from "./addresses.ts";
import type { Admission, Admissions, Caller, Refusal } from "./admissions.ts";
import { ownMarks } from "./agent-mark.ts";
import { type AttemptReport, createAttemptReport } from "./attempt-report.ts";
import { type CallerCheckParts, createCallerCheck } from "./caller-check.ts";
import { createPeerLookUp } from "./peer-process.ts";
import { judgeBody, judgeTarget, pathOf } from "./request-shape.ts";

export type AdmissionsParts = AddressSettings &
  CallerCheckParts & {
    readonly environment: { readonly [name: string]: string | undefined };
    /** A process of the agent was turned away. */
    readonly onAgentAttempt?: AttemptReport;
    /** `/proc`, but for tests of machines without one. */
    readonly procDirectory?: string;
  };

/** Throws a FailureError for settings that would let strangers in. */
export function createAdmissions(parts: AdmissionsParts): Admissions {
  if (parts.isDoorOpen === true && !isLoopbackHost(parts.boundTo)) throw openToStrangers(parts.boundTo);
  const addresses = createAddressCheck(parts);
  const lookUpPeer = createPeerLookUp({
    ownMarks: ownMarks(parts.environment),
    ...(parts.procDirectory !== undefined && { procDirectory: parts.procDirectory }),
  });
  const reportAttempt = createAttemptReport(parts.now, parts.onAgentAttempt);
  const callers = createCallerCheck(parts);

  const judgePeer = async (request: IncomingMessage): Promise<Refusal | undefined> => {
    const verdict = await lookUpPeer(request.socket);
    switch (verdict.kind) {
      case "welcome":
        return undefined;
      case "hidden":
        return { status: 403, code: "unknown_process", message: "The calling process cannot be identified." };
      case "agent":
        reportAttempt({ ...verdict, method: request.method ?? "", path: pathOf(request) });
        return {
          status: 403,
          code: "agent_process",
          message: "Commands run by the agent cannot call kedge as the user.",
        };
    }
  };

  const judge = async (request: IncomingMessage, isUpgrade: boolean): Promise<Admission> => {
    const early =
      judgeTarget(request, { isUpgrade }) ??
      addresses.judgeHost(request) ??
      addresses.judgeOrigin(request, { isUpgrade }) ??
      (await judgePeer(request));
    if (early !== undefined) return { ok: false, ...early };
    const admission = callers.identify(request, { isUpgrade });
    const refusal = admission.ok
      ? (judgeCookie(request, admission.caller) ?? judgeBody(request, admission.caller))
      : undefined;
    return refusal === undefined ? admission : { ok: false, ...refusal };
  };
  const decided = new WeakMap<IncomingMessage, Promise<Admission>>();

  return {
    admit(request, { isUpgrade }) {
      const known = decided.get(request);
      if (known !== undefined) return known;
      const admission = judge(request, isUpgrade);
      decided.set(request, admission);
      return admission;
    },
    preflight: addresses.preflight,
    answerHeaders: addresses.answerHeaders,
    issueCode: callers.issueCode,
    redeemCode: callers.redeemCode,
    issueTicket: callers.issueTicket,
  };
}

/** A browser sends its cookie whoever's page it shows, so whoever changes something with one must say which page it is. */
function judgeCookie({ method, headers }: IncomingMessage, { by }: Caller): Refusal | undefined {
  if (by !== "cookie" || method === "GET" || headers.origin !== undefined) return undefined;
  const message = "With a cookie, requests that change something need an Origin header that matches the server.";
  return { status: 403, code: "origin_required", message };
}

function openToStrangers(boundTo: string): FailureError {
  const message = `Without authentication, the server cannot listen on ${boundTo}, which others can reach.`;
  const recovery = "Remove --no-auth, or listen on 127.0.0.1.";
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
