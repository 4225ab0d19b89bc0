/** What a profile of the AWS command line says: keys, or where to sign in. Its files are read, never written or run. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SignInParts } from "../sign-in-method.ts";
import type { ProviderSignIn } from "../sign-in-settings.ts";

export type AwsProfile =
  | {
      readonly kind: "keys";
      readonly name: string;
      readonly region?: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly sessionToken?: string;
    }
  | {
      readonly kind: "identity-center";
      readonly name: string;
      readonly region?: string;
      readonly centre: IdentityCenter;
    }
  | { readonly kind: "unusable"; readonly reason: string };

export type IdentityCenter = {
  readonly startUrl: string;
  /** Of the centre, which may lie elsewhere than the models. */
  readonly region: string;
  readonly accountId: string;
  readonly roleName: string;
};

type Sections = ReadonlyMap<string, { readonly [name: string]: string }>;

const fileBytesMax = 1024 * 1024;

export function readAwsProfile(
  settings: ProviderSignIn,
  { environment, userDirectory }: Pick<SignInParts, "environment" | "userDirectory">,
): AwsProfile {
  const name = settings.profile ?? (environment["AWS_PROFILE"] || "default");
  const { startUrl, region, accountId, roleName } = settings;
  if (startUrl !== undefined && region !== undefined && accountId !== undefined && roleName !== undefined)
    return { kind: "identity-center", name: startUrl, region, centre: { startUrl, region, accountId, roleName } };
  const configPath = environment["AWS_CONFIG_FILE"] || join(userDirectory, ".aws", "config");
  const keysPath = environment["AWS_SHARED_CREDENTIALS_FILE"] || join(userDirectory, ".aws", "credentials");
  const config = readSections(configPath);
  const profile = {
    ...config.get(name === "default" ? "default" : `profile ${name}`),
    ...readSections(keysPath).get(name),
  };
  const at = profile["region"] === undefined ? {} : { region: profile["region"] };
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, aws_session_token } = profile;
  if (profile["role_arn"] !== undefined)
    return unusable(`the AWS profile ${name} assumes a role, which kedge does not support`);
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const session = aws_session_token === undefined ? {} : { sessionToken: aws_session_token };
    return { kind: "keys", name, ...at, accessKeyId, secretAccessKey, ...session };
  }
  const centre = centreOf(profile, config);
  if (centre !== undefined) return { kind: "identity-center", name, ...at, centre };
  if (profile["credential_process"] !== undefined)
    return unusable(`the AWS profile ${name} gets its keys from a program, which kedge does not support`);
  return unusable(`${configPath} has no profile ${name} with keys or an IAM Identity Center`);
}

function centreOf(profile: { readonly [name: string]: string }, config: Sections): IdentityCenter | undefined {
  const session = config.get(`sso-session ${profile["sso_session"] ?? ""}`) ?? {};
  const startUrl = session["sso_start_url"] ?? profile["sso_start_url"];
  const region = session["sso_region"] ?? profile["sso_region"];
  const { sso_account_id: accountId, sso_role_name: roleName } = profile;
  if (startUrl === undefined || region === undefined || accountId === undefined || roleName === undefined)
    return undefined;
  return { startUrl, region, accountId, roleName };
}

function unusable(reason: string): AwsProfile {
  return { kind: "unusable", reason };
}

/** What is indented belongs to the entry above it, and none of those matter here. */
function readSections(path: string): Sections {
  const sections = new Map<string, { [name: string]: string }>();
  let current: { [name: string]: string } = {};
  for (const line of readIfThere(path).split(/\r?\n/)) {
    const [, section] = /^\[\s*([^\]]+?)\s*\]/.exec(line) ?? [];
    if (section !== undefined) {
      current = sections.get(section) ?? {};
      sections.set(section, current);
    }
    const [, name, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && value !== "") current[name] = value;
  }
  return sections;
}

function readIfThere(path: string): string {
  try {
    const { size } = statSync(path);
    return size > fileBytesMax ? "" : readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return "";
    throw error;
  }
}
