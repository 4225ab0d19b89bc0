/** How the page comes in: it hands in the code of its address, or a link or token that the person pastes. */
import { type Failure, headerNames, protocolVersion, routeOf } from "@kedge/protocol";
import * as texts from "../texts/frame.ts";

export type SignedIn = { readonly ok: true } | { readonly ok: false; readonly sentence: string };

const codeInFragment = /(?:^#|[#&])code=([\w-]{20,128})/;

/** Takes the code out of the address, so that it stays in no history. */
export function takeCode({ location, history }: Pick<Window, "location" | "history">): string | undefined {
  const code = codeInFragment.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

export async function redeemCode(code: string): Promise<SignedIn> {
  const { cookieRow } = await import("@kedge/protocol/rows");
  return post(cookieRow.route, { code });
}

/** A link that `kedge web` printed, its code alone, or the token that `kedge serve` printed. */
export async function signInBy(pasted: string): Promise<SignedIn> {
  const text = pasted.trim();
  if (text === "") return { ok: false, sentence: texts.pasteLink };
  const code = codeInFragment.exec(text)?.[1] ?? (text.startsWith("kedge_") ? await codeFor(text) : text);
  return typeof code === "string" ? redeemCode(code) : code;
}

/** The token is used once, for a code, and kept nowhere. */
async function codeFor(token: string): Promise<string | SignedIn> {
  const { commandRows } = await import("@kedge/protocol/rows");
  const answer = await request(commandRows["code.issue"].route, {}, { authorization: `Bearer ${token}` });
  if (!answer.ok) return answer;
  const { code } = (await answer.response.json()) as { readonly code: string };
  return code;
}

async function post(route: `${string} ${string}`, body: object): Promise<SignedIn> {
  const answer = await request(route, body);
  return answer.ok ? { ok: true } : answer;
}

type Answered = { readonly ok: true; readonly response: Response } | (SignedIn & { readonly ok: false });

async function request(route: string, body: object, more: HeadersInit = {}): Promise<Answered> {
  const { method, path } = routeOf({ route: route as `POST /${string}` });
  const headers = { "content-type": "application/json", [headerNames.protocol]: protocolVersion, ...more };
  try {
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
    if (response.ok) return { ok: true, response };
    const { error } = (await response.json()) as { readonly error?: Partial<Failure> };
    return { ok: false, sentence: error?.message ?? texts.serverStatus(response.status) };
  } catch {
    return { ok: false, sentence: texts.serverUnreachable };
  }
}
