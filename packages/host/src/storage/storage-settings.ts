/** The setting that says where sessions are kept: on this machine without it, otherwise in a PostgreSQL database. */
import { object, said, satisfies } from "../configuration/checks.ts";
import { databaseUrlVariable, readVariable } from "../configuration/environment-settings.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";
import { percentDecoded } from "../percent-decoded.ts";

export type StorageSettings = {
  /** May hold a password, and so goes into no text. */
  readonly url?: string;
};

/** What is wrong with it is told without it. */
const databaseAddress = satisfies(
  "a URL such as postgres://user@host:5432/database",
  { type: "string", format: "uri", writeOnly: true },
  (value) => typeof value === "string" && (value.trim() === "" || /^postgres(ql)?:\/\/./.test(value.trim())),
);

export const storageSettings: SettingDeclarations = {
  storage: {
    check: object({
      url: said("PostgreSQL database for sessions; default: a local file.", databaseAddress),
    }),
    project: ignored("a project may not decide where your sessions are stored"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readStorageSettings(
  value: unknown,
  environment: { readonly [name: string]: string | undefined },
): StorageSettings {
  const { url } = (value ?? {}) as { readonly url?: string | null };
  const named = readVariable(databaseUrlVariable, environment) ?? url;
  return typeof named === "string" && named.trim() !== "" ? { url: named } : {};
}

/** The password of the address, as it stands there and as it is meant. */
export function secretsOfStorage({ url }: StorageSettings): readonly string[] {
  const read = url === undefined ? null : URL.parse(url);
  const written = [read?.password ?? "", read?.searchParams.get("password") ?? ""];
  return [...new Set(written.flatMap((password) => (password === "" ? [] : [password, percentDecoded(password)])))];
}
