/** The settings of sign-ins: whether they are allowed, and what a vendor wants to know of the program that asks. */
import { isJsonObject } from "@kedge/protocol";
import {
  type Check,
  checkWith,
  flag,
  list,
  object,
  problem,
  record,
  said,
  secretText,
  text,
  webAddress,
} from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** Of one provider. */
export type ProviderSignIn = {
  /** Of the program, as the vendor registered it. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Of an installation of one's own, such as `https://gitlab.example.com`. */
  readonly host?: string;
  /** For a vendor that kedge has no sign-in for. */
  readonly authorizationUrl?: string;
  readonly deviceUrl?: string;
  readonly tokenUrl?: string;
  readonly scopes?: readonly string[];
  /** Who pays, in the words of whoever set this up. */
  readonly notice?: string;
  readonly tenant?: string;
  readonly project?: string;
  readonly profile?: string;
  readonly startUrl?: string;
  readonly region?: string;
  readonly accountId?: string;
  readonly roleName?: string;
};

export type SignInSettings = {
  /** True for every provider, or the only ones. */
  readonly allowed: boolean | readonly string[];
  readonly providers: { readonly [provider: string]: ProviderSignIn };
};

/** Tokens go there; only what runs on this machine is reached without encryption. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
}

const safeAddress = checkWith(webAddress.schema, (value, path) =>
  typeof value === "string" && isSafeAddress(value) ? [] : [problem(path, "an https URL", value)],
);

const allowedCheck: Check = checkWith(
  () => ({ anyOf: [flag.schema(), list(text).schema()] }),
  (value, path) => (Array.isArray(value) ? list(text)(value, path) : flag(value, path)),
);

export const signInSettings: SettingDeclarations = {
  signIn: {
    check: object({
      allowed: said("Whether accounts may be signed in to: true, false, or a list of providers.", allowedCheck, true),
      providers: said(
        "What a sign-in needs to know, by provider.",
        record(
          object({
            clientId: said("The client id that the vendor gave to your registration of kedge.", text),
            clientSecret: said("The client secret of that registration, where the vendor wants one.", secretText),
            host: said("The installation of your organization, such as https://gitlab.example.com.", safeAddress),
            authorizationUrl: said(
              "Where the browser is sent, for a vendor that kedge has no sign-in for.",
              safeAddress,
            ),
            deviceUrl: said("Where a device code is asked for, for such a vendor.", safeAddress),
            tokenUrl: said("Where tokens are asked for, for such a vendor.", safeAddress),
            scopes: said("What the account is asked to permit.", list(text)),
            notice: said("Who pays for requests, shown before the sign-in.", text),
            tenant: said("The directory of an Azure account.", text),
            project: said("The Google Cloud project that is billed.", text),
            profile: said("The profile of the AWS command line.", text),
            startUrl: said("The start page of IAM Identity Center, without a profile.", safeAddress),
            region: said("The region of IAM Identity Center, without a profile.", text),
            accountId: said("The AWS account, without a profile.", text),
            roleName: said("The role in that account, without a profile.", text),
          }),
        ),
      ),
    }),
    project: ignored("a project may not choose where accounts are signed in to"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readSignInSettings(value: unknown): SignInSettings {
  const given = isJsonObject(value) ? value : {};
  const { allowed = true, providers = {} } = given;
  return {
    allowed: Array.isArray(allowed) ? allowed.map(String) : allowed !== false,
    // Checked above; a null inside only deletes what a weaker file says.
    providers: withoutNulls(providers) as SignInSettings["providers"],
  };
}

function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNulls(each)]));
}

export function isSignInAllowed({ allowed }: SignInSettings, provider: string): boolean {
  return typeof allowed === "boolean" ? allowed : allowed.includes(provider);
}
