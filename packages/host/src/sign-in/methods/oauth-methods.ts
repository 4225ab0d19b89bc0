/** The methods of a vendor that follows OAuth 2: with a device code, with a browser of this machine, or both. */
import type { AccountCredential } from "@kedge/models";
import type { AccountRecord } from "../../credentials/account-record.ts";
import { beginBrowserCode } from "../oauth/browser-code.ts";
import { beginDeviceCode } from "../oauth/device-code.ts";
import type { OAuthFlow } from "../oauth/oauth-flow.ts";
import { renewTokens } from "../oauth/renew-tokens.ts";
import type { Begun, Renewed, SignInMethod, SignInOutcome, SignInParts } from "../sign-in-method.ts";

export type OAuthVendor = {
  readonly provider: string;
  /** Whose account it is. */
  readonly name: string;
  readonly payer: string;
  readonly flow: Omit<OAuthFlow, "clientId"> & { readonly clientId: string | undefined };
  /** Kept with the tokens. */
  readonly place?: AccountRecord["place"];
  /** Makes of the tokens what requests are sent with, where that is something else. */
  readonly complete?: (record: AccountRecord, parts: SignInParts, signal: AbortSignal) => Promise<Renewed>;
  readonly credential: (record: AccountRecord) => AccountCredential;
};

export function oauthMethods(vendor: OAuthVendor): readonly SignInMethod[] {
  const { name, flow: wanted } = vendor;
  const { clientId } = wanted;
  const missing = clientId === undefined ? { missing: missingClient(vendor) } : {};
  const flow: OAuthFlow = { ...wanted, clientId: clientId ?? "" };
  const common = {
    notice: noticeOf(vendor),
    ...missing,
    renew: (record: AccountRecord, parts: SignInParts, signal: AbortSignal) =>
      renew(vendor, flow, record, parts, signal),
    credential: vendor.credential,
  };
  const { deviceUrl, authorizationUrl } = flow;
  const methods: SignInMethod[] = [];
  if (deviceUrl !== undefined) {
    const begin = async (parts: SignInParts, signal: AbortSignal) =>
      completed(await beginDeviceCode({ ...flow, deviceUrl }, parts, signal), vendor, parts);
    methods.push({ id: "device", label: `${name} account, with a code entered in any browser`, begin, ...common });
  }
  if (authorizationUrl !== undefined) {
    const begin = async (parts: SignInParts) =>
      completed(await beginBrowserCode({ ...flow, authorizationUrl }, parts), vendor, parts);
    methods.push({ id: "browser", label: `${name} account, in a browser on this machine`, begin, ...common });
  }
  return methods;
}

export function noticeOf({ name, payer }: Pick<OAuthVendor, "name" | "payer">): string {
  return `${payer} ${name} may forbid use by other programs or bill it separately; check its terms before you sign in. kedge identifies itself as kedge.`;
}

function missingClient({ provider, name }: OAuthVendor): string {
  return `Set signIn.providers.${provider}.clientId to the client id of an OAuth app that you or your organization registered with ${name}. kedge has no client id there and never uses that of another program.`;
}

/** The same beginning, whose end also has what the vendor wants after its tokens. */
function completed(begun: Begun, vendor: OAuthVendor, parts: SignInParts): Begun {
  if (begun.kind !== "visit") return begun;
  return {
    ...begun,
    async finish(signal): Promise<SignInOutcome> {
      const outcome = await begun.finish(signal);
      if (outcome.kind !== "signed-in") return outcome;
      const record = { ...outcome.record, place: { ...vendor.place } };
      const whole = await (vendor.complete?.(record, parts, signal) ?? { kind: "renewed" as const, record });
      switch (whole.kind) {
        case "renewed":
          return { kind: "signed-in", record: whole.record };
        case "revoked":
          return { kind: "denied", reason: `${vendor.name} does not accept the new token` };
        case "failed":
          return whole;
      }
    },
  };
}

async function renew(
  vendor: OAuthVendor,
  flow: OAuthFlow,
  record: AccountRecord,
  parts: SignInParts,
  signal: AbortSignal,
): Promise<Renewed> {
  const { complete } = vendor;
  if (complete === undefined) return renewTokens(record, flow, parts, signal);
  // What follows the tokens ends long before they do.
  const first = await complete(record, parts, signal);
  if (first.kind !== "revoked") return first;
  const renewed = await renewTokens(record, flow, parts, signal);
  return renewed.kind === "renewed" ? complete(renewed.record, parts, signal) : renewed;
}
