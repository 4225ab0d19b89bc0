import { withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";

const redactSecrets = (text: string, values: readonly string[]) =>
  createRedactor({ values: () => values }).redact(text);

// Joined at run time, so that no scanner takes this file for a leak.
const pem = (kind: string) => `-----BEGIN ${kind}PRIVATE ${"KEY"}-----`;
const pemEnd = (kind: string) => `-----END ${kind}PRIVATE ${"KEY"}-----`;
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
const jwt = `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N`;

test.each([
  ["PEM", `a ${pem("")}\n${body}\n${body}\n${pemEnd("")} b`, "a [REDACTED:private-key] b"],
  ["RSA PEM", `${pem("RSA ")}\nProc-Type: 4,ENCRYPTED\n\nMIIabc12\n${pemEnd("RSA ")}`, "[REDACTED:private-key]"],
  ["OPENSSH PEM in JSON", `"${pem("OPENSSH ")}\\n${body}\\n${pemEnd("OPENSSH ")}\\n"`, '"[REDACTED:private-key]\\n"'],
  ["cut PEM", `${pem("EC ")}\n${body}\n${body}`, "[REDACTED:private-key]"],
  ["JWT", `see ${jwt}.`, "see [REDACTED:jwt]."],
  ["bearer", "Authorization: Bearer abc123.def_456-xyz", "Authorization: Bearer [REDACTED:bearer]"],
  ["basic", "authorization: Basic dXNlcjpwYXNz", "authorization: Basic [REDACTED:authorization]"],
  ["GitHub", `ghp_${"a1B2".repeat(9)} gho_${"a".repeat(36)}`, "[REDACTED:github-token] [REDACTED:github-token]"],
  ["GitHub fine-grained", `github_pat_${"11AB_cd".repeat(6)}`, "[REDACTED:github-token]"],
  ["sk", `key sk-${"ant-api03-Ab1"}${"x".repeat(20)}!`, "key [REDACTED:api-key]!"],
  ["sk small letters", `sk-${"abcdefghij".repeat(3)}`, "[REDACTED:api-key]"],
  ["AWS", `AKIA${"ABCDEFGH12345678"},`, "[REDACTED:aws-key],"],
  ["Slack", `xoxb-${"1234567890-abcdef"}`, "[REDACTED:slack-token]"],
  ["Google", `AIza${"SyA1".repeat(9)}`, "[REDACTED:google-key]"],
  ["URL password", "postgres://user:p4ss@db:5432/x", "postgres://[REDACTED:url-credentials]@db:5432/x"],
  ["URL password with @", "https://u:p@ss@host/x", "https://[REDACTED:url-credentials]@host/x"],
  ["URL token", "https://abcdef@host/x", "https://[REDACTED:url-credentials]@host/x"],
  ["quoted assignment", 'password = "hunter2!"', 'password = "[REDACTED:assignment]"'],
  ["JSON assignment", '{"client_secret":"abcdefgh"}', '{"client_secret":"[REDACTED:assignment]"}'],
  ["escaped JSON", '{\\"api_key\\":\\"abc12345\\"}', '{\\"api_key\\":\\"[REDACTED:assignment]\\"}'],
  ["environment file", "DB_PASSWORD=correcthorse\nX=1", "DB_PASSWORD=[REDACTED:assignment]\nX=1"],
  ["query", "?token=abc123def&page=2", "?token=[REDACTED:assignment]&page=2"],
  ["YAML", "  password: hunter22x\n  user: me", "  password: [REDACTED:assignment]\n  user: me"],
  ["a word by chance", `gl${"pat-"}DQk6yoURnOTGV0SjUEqx`, "[REDACTED:gitlab-token]"],
  ["a cut value", 'password: "hunter2hunter… (line cut)', 'password: "[REDACTED:assignment]… (line cut)'],
  ["a cut key", `x sk-${"ant-api03"}… (line cut)`, "x [REDACTED:api-key]… (line cut)"],
  ["command line", "--api-key=abcdef123456 run", "--api-key=[REDACTED:assignment] run"],
  ["letters alone", "password: tWckopLoqxKkEpnctejL", "password: [REDACTED:assignment]"],
])("%s", (_name, text, expected) => {
  expect(redactSecrets(text, [])).toBe(expected);
});

test.each([
  "const token = lexer.next();",
  "const token = nextToken2\n",
  'if (token === "identifier" || token.kind === "string") return token;',
  'const token = "identifier";',
  "type Login = { readonly password: string; token?: string | undefined };",
  "password: string\n",
  "password: createPasswordStrengthMeter\n",
  "function connect(secret: Secret, password = readPassword(1)) {}",
  "this.secret = options.secret2\n",
  "password=self.password,\n    token=token)",
  "const apiKey = process.env.API_KEY2\n",
  'export API_KEY="$OTHER_API_KEY"',
  "API_KEY=\u0024{OTHER_API_KEY}",
  '"password": "Password"',
  '"@octokit/auth-token": "^6.0.0", "csrf-token": ">=1.2"',
  "maxTokens: 4096, tokens=1234567",
  ".sk-fading-circle-container { color: red }",
  "a task-management-application-list",
  "the bearer authentication scheme",
  "ssh://git@github.com/a/b.git and git@github.com:a/b.git",
  "http://localhost:8080/path?mail=a@b.c",
  "fetch(`https://\u0024{user}:\u0024{password}@\u0024{host}/`)",
  `const start = "${pem("")}"; const end = "${pemEnd("")}";`,
  "AKIA is a prefix, xoxb- too, and eyJ",
])("leaves alone: %s", (text) => {
  expect(redactSecrets(text, [])).toBe(text);
});

test("known values are replaced wherever they stand, the longer one first, short ones never", () => {
  const known = ["plain-value", "plain-value-longer", "abc"];
  expect(redactSecrets("x plain-value-longer y plain-value z abc", known)).toBe(
    "x [REDACTED:credential] y [REDACTED:credential] z abc",
  );
  expect(known).toEqual(["plain-value", "plain-value-longer", "abc"]);
});

test("the same text gives the same answer every time", () => {
  const text = `a AKIA${"ABCDEFGH12345678"} password="hunter2!" ${jwt}`;
  const answers = new Set(Array.from({ length: 5 }, () => redactSecrets(text, [])));
  expect([...answers]).toEqual(['a [REDACTED:aws-key] password="[REDACTED:assignment]" [REDACTED:jwt]']);
});

test("redacting twice changes nothing more", () => {
  const once = redactSecrets('password="hunter2!" DB_PASSWORD=correcthorse https://u:pw@h/', []);
  expect(redactSecrets(once, [])).toBe(once);
});

test.each([pem(""), "https://a:", "a-", "password   ", "eyJaaaaaaaaa.", "token=a."])(
  "a flood of %j takes no longer than its length",
  (piece) => {
    withPatience(() => redactSecrets(piece.repeat(200_000), []));
  },
);
