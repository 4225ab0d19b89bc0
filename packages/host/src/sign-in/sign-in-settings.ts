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
      allowed: said("Allow signing in with accounts: true, false, or a list of providers.", allowedCheck, true),
      providers: said(
        "Sign-in options by provider.",
        record(
          object({
            clientId: said("Client id of your OAuth app.", text),
            clientSecret: said("Client secret of your OAuth app, if the provider requires one.", secretText),
            host: said("URL of your organization's instance, such as https://gitlab.example.com.", safeAddress),
            authorizationUrl: said("Authorization URL, for providers without a built-in sign-in.", safeAddress),
            deviceUrl: said("Device code URL, for such providers.", safeAddress),
            tokenUrl: said("Token URL, for such providers.", safeAddress),
            scopes: said("OAuth scopes to request.", list(text)),
            notice: said("Billing notice shown before sign-in.", text),
            tenant: said("Azure tenant.", text),
            project: said("Google Cloud project to bill.", text),
            profile: said("AWS CLI profile.", text),
            startUrl: said("IAM Identity Center start URL, without a profile.", safeAddress),
            region: said("IAM Identity Center region, without a profile.", text),
            accountId: said("AWS account id, without a profile.", text),
            roleName: said("Role in that account, without a profile.", text),
          }),
        ),
      ),
    }),
    project: ignored("a project may not choose where you sign in"),
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
