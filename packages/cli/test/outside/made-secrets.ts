/** Invents secrets in the public formats of vendors: the form is real, every letter of the secret part is drawn. */
import type { SeededRandom } from "@kedge/testing";

export type MadeSecret = {
  readonly kind: string;
  /** As it would stand in a file. */
  readonly text: string;
  /** The drawn part, of which nothing may be seen. */
  readonly core: string;
  /** Known only by the words around it, so it is not put into other surroundings. */
  readonly needsPlace?: true;
};

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const digits = "0123456789";
const alphabets = {
  hex: `${digits}abcdef`,
  word: lower + upper + digits,
  base64: `${lower + upper + digits}+/`,
  url: `${lower + upper + digits}-_`,
  capital: upper + digits,
  base32: `${upper}234567`,
  small: lower + digits,
  digit: digits,
  bech: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
} as const;

export function makeSecrets(random: SeededRandom): readonly MadeSecret[] {
  const draw = (alphabet: keyof typeof alphabets, length: number) => {
    const letters = alphabets[alphabet];
    const drawn = Array.from({ length }, () => letters[random.below(letters.length)]).join("");
    // Ends that are no letters would not be distinguishable from the text around.
    return drawn.replace(/^[-_+/]/, "a").replace(/[-_+/]$/, "z");
  };
  const found: MadeSecret[] = [];
  /** `{hex:32}` in the form is drawn; the longest drawn part is what must not be seen. */
  const add = (kind: string, form: string, needsPlace?: true) => {
    const parts: string[] = [];
    const text = form.replaceAll("¦", "").replace(/\{(\w+):(\d+)\}/g, (_, alphabet, length) => {
      const part = draw(alphabet, Number(length));
      parts.push(part);
      return part;
    });
    const core = parts.sort((left, right) => right.length - left.length)[0] ?? "";
    found.push({ kind, text, core, ...(needsPlace ? { needsPlace } : {}) });
  };
  // The broken bar keeps scanners from taking this file for a leak.
  for (const letter of ["p", "o", "u", "s", "r"]) add(`github gh${letter}`, `gh${letter}¦_{word:36}`);
  add("github fine", "github_p¦at_{word:22}_{word:59}");
  add("gitlab pat", "glp¦at-{url:20}");
  add("gitlab pat routable", "glp¦at-{url:27}.01.{small:9}");
  add("gitlab deploy", "gld¦t-{url:20}");
  add("gitlab runner", "glr¦t-{url:20}");
  add("gitlab trigger", "glpt¦t-{hex:40}");
  add("gitlab oauth", "gloa¦s-{hex:64}");
  add("gitlab job", "glcb¦t-64_{url:20}");
  add("slack bot", "xox¦b-{digit:12}-{digit:13}-{word:24}");
  add("slack user", "xox¦p-{digit:12}-{digit:12}-{digit:13}-{hex:32}");
  add("slack app", "xap¦p-1-A{capital:10}-{digit:13}-{hex:64}");
  add("slack refresh", "xox¦e-1-{word:146}");
  add("slack webhook", "https://hooks.slack.com/serv¦ices/T{capital:10}/B{capital:10}/{word:24}");
  add("google api", "AIz¦aSy{url:33}");
  add("google access", "ya29¦.a0{url:140}");
  add("google client secret", "GOCSP¦X-{url:28}");
  add("anthropic", "sk-ant¦-api03-{url:93}AA");
  add("anthropic admin", "sk-ant¦-admin01-{url:93}AA");
  add("openai project", "sk-pro¦j-{url:74}T3BlbkFJ{url:74}");
  add("openai old", "s¦k-{word:20}T3BlbkFJ{word:20}");
  add("openai service", "sk-svc¦acct-{url:74}T3BlbkFJ{url:74}");
  add("openrouter", "sk-or¦-v1-{hex:64}");
  add("deepseek", "s¦k-{hex:32}");
  add("groq", "gs¦k_{word:52}");
  add("xai", "xa¦i-{word:80}");
  add("huggingface", "h¦f_{word:34}");
  add("replicate", "r8¦_{word:37}");
  add("perplexity", "ppl¦x-{word:48}");
  add("langsmith", "lsv2¦_pt_{hex:32}_{hex:10}");
  add("nvidia", "nvap¦i-{url:64}");
  add("stripe live", "sk_l¦ive_{word:24}");
  add("stripe long", "sk_l¦ive_51{word:97}");
  add("stripe restricted", "rk_l¦ive_{word:24}");
  add("stripe test", "sk_t¦est_{word:24}");
  add("stripe webhook", "whs¦ec_{word:32}");
  add("square access", "EAAA¦E{url:59}");
  add("square secret", "sq0c¦sp-{url:43}");
  add("shopify", "shp¦at_{hex:32}");
  add("shopify shared", "shp¦ss_{hex:32}");
  add("npm", "np¦m_{word:36}");
  add("npm legacy", "//registry.npmjs.org/:_auth¦Token={hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", true);
  add("pypi", "pyp¦i-AgEIcHlwaS5vcmc{url:150}");
  add("rubygems", "rubyge¦ms_{hex:48}");
  add("crates", "ci¦o{word:32}");
  add("nuget", "oy¦2{small:43}");
  add("docker pat", "dckr_p¦at_{url:27}");
  add("digitalocean", "dop¦_v1_{hex:64}");
  add("digitalocean refresh", "dor¦_v1_{hex:64}");
  add("sendgrid", "S¦G.{url:22}.{url:43}");
  add("mailgun", "ke¦y-{hex:32}");
  add("mailchimp", "{hex:32}-u¦s12");
  add("twilio", "S¦K{hex:32}");
  add("brevo", "xkeys¦ib-{hex:64}-{word:16}");
  add("discord bot", "MT{word:24}.G{word:5}.{url:38}");
  add("discord webhook", "https://discord.com/api/web¦hooks/{digit:18}/{url:68}");
  add("telegram", "{digit:10}:A¦A{url:33}");
  add("vault", "hv¦s.{url:90}");
  add("vault batch", "hv¦b.{url:140}");
  add("atlassian", "ATAT¦T3xFfGF0{url:170}={hex:8}");
  add("bitbucket", "ATB¦B{word:28}{hex:8}");
  add("linear", "lin_a¦pi_{word:40}");
  add("notion", "nt¦n_{digit:11}{word:35}");
  add("figma", "fig¦d_{url:40}");
  add("postman", "PMA¦K-{hex:24}-{hex:34}");
  add("databricks", "dap¦i{hex:32}");
  add("doppler", "dp.p¦t.{word:43}");
  add("doppler service", "dp.s¦t.prd.{word:43}");
  add("grafana service", "gls¦a_{word:32}_{hex:8}");
  add("grafana cloud", "gl¦c_eyJ{word:100}");
  add("new relic", "NRA¦K-{capital:27}");
  add("sentry user", "sntry¦u_{hex:64}");
  add("planetscale", "pscale_t¦kn_{url:43}");
  add("planetscale password", "pscale_p¦w_{url:43}");
  add("supabase", "sb¦p_{hex:40}");
  add("supabase secret", "sb_sec¦ret_{url:31}_{url:8}");
  add("fly", "fm¦2_{base64:160}");
  add("heroku", "HRK¦U-AA{url:58}");
  add("terraform", "{word:14}.atlas¦v1.{url:67}");
  add("age", "AGE-SEC¦RET-KEY-1{bech:58}");
  add("pulumi", "pu¦l-{hex:40}");
  add("airtable", "pa¦t{word:14}.{hex:64}");
  add("dynatrace", "dt0c¦01.{capital:24}.{capital:64}");
  add("easypost", "EZA¦K{word:54}");
  add("shippo", "shippo_l¦ive_{hex:40}");
  add("cloudflare origin", "v1.¦0-{hex:24}-{hex:146}");
  add("tailscale", "tske¦y-auth-k{word:11}CNTRL-{word:32}");
  add("netlify", "nf¦p_{word:36}");
  add("buildkite", "bku¦a_{hex:40}");
  add("circleci", "CCIP¦AT_{word:22}_{hex:40}");
  add("sonar", "sq¦u_{hex:40}");
  add("artifactory", "AKC¦p8{word:68}");
  add("contentful", "CFP¦AT-{url:43}");
  add("infracost", "ic¦o-{word:32}");
  add("1password", "op¦s_eyJ{word:300}");
  add("prefect", "pn¦u_{small:36}");
  add("readme", "rdm¦e_{small:70}");
  add("typeform", "tf¦p_{url:59}");
  add("duffel", "duffel_l¦ive_{url:43}");
  add("clojars", "CLOJ¦ARS_{small:60}");
  add("flutterwave", "FLWSEC¦K_TEST-{hex:32}-X");
  add("mapbox", "s¦k.eyJ1Ijoi{word:60}.{url:22}");
  add("azure client secret", "{word:3}8¦Q~{url:34}");
  add("azure devops", "{word:76}AZD¦O{word:4}");
  add("scaleway", "SC¦W_SECRET_KEY={hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", true);
  add("aws secret", "aws_secret_acc¦ess_key = {base64:40}", true);
  add("aws session", "aws_session_tok¦en = IQoJb3JpZ2luX2Vj{base64:300}", true);
  add("azure account", "DefaultEndpointsProtocol=https;AccountName=store;Account¦Key={base64:86}==", true);
  add("azure sas", "https://store.blob.core.windows.net/c?sv=2022-11-02&sp=r&s¦ig={word:43}%3D", true);
  add("jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIx{word:40}.{url:43}");
  add("postgres url", "postgres://app:¦{word:18}@db.internal:5432/app");
  add("mongo url", "mongodb+srv://app:¦{word:18}@cluster0.abc.mongodb.net/x");
  add("redis url", "redis://:¦{word:24}@cache:6379/0");
  add("amqp url", "amqps://svc:¦{word:20}@mq.example/vhost");
  add("git url", "https://oauth2:¦{word:26}@git.example/a/b.git");
  add("basic header", "Authorization: Bas¦ic {word:40}==", true);
  add("bearer header", "Authorization: Bear¦er {url:48}", true);
  add("cookie", "Set-Cookie: session¦id={word:48}; HttpOnly; Secure", true);
  add("api key header", "X-Api-Ke¦y: {word:40}", true);
  add("netrc", "machine api.example login me pass¦word {word:20}", true);
  add("docker auth", '{ "auths": { "ghcr.io": { "au¦th": "{word:56}" } } }', true);
  add("wireguard", "[Interface]\nPrivate¦Key = {base64:42}Q=", true);
  add("kube key", "    client-key-da¦ta: LS0tLS1CRUdJTi{word:400}", true);
  add("kube token", "    tok¦en: {url:64}", true);
  add("json client secret", '{ "client_id": "abc", "client_sec¦ret": "{word:40}" }', true);
  add("yaml password", "database:\n  user: app\n  pass¦word: {word:20}", true);
  add("java property", "spring.datasource.pass¦word={word:20}", true);
  add("django", "SECRET_KE¦Y = 'django-insecure-{word:50}'", true);
  add("laravel", "APP_KE¦Y=base64:{base64:43}=", true);
  add("rails", "secret_key_ba¦se: {hex:128}", true);
  add("dotnet", "Server=db;Database=a;User Id=sa;Pass¦word={word:20};", true);
  add("mysql command", "mysql -u root -p¦{word:18} shop", true);
  add("curl user", "curl -u admin:¦{word:20} https://api.example/x", true);
  add("okta", "Authorization: SS¦WS 00{url:40}", true);
  add(
    "ssh key",
    `-----BEGIN OPEN¦SSH PRIVATE KEY-----\n{base64:70}\n{base64:70}\n-----END OPEN¦SSH PRIVATE KEY-----`,
    true,
  );
  add("putty key", "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Li¦nes: 1\n{base64:64}\nPrivate-MAC: {hex:64}", true);
  add(
    "pgp key",
    "-----BEGIN PGP PRIVATE KEY BL¦OCK-----\n\n{base64:64}\n{base64:64}\n-----END PGP PRIVATE KEY BL¦OCK-----",
    true,
  );
  add("shadow", ["deploy:", "6", "¦{word:16}", "{word:86}:19000:0:99999:7:::"].join("$"), true);
  return found;
}

/** How a secret stands in the texts that programs write. */
export const surroundings: { readonly [name: string]: (secret: string) => string } = {
  bare: (secret) => secret,
  env: (secret) => `VALUE=${secret}`,
  quoted: (secret) => `const value = "${secret}";`,
  json: (secret) => JSON.stringify({ a: 1, value: secret, b: [secret] }),
  "json in json": (secret) => JSON.stringify({ body: JSON.stringify({ value: secret }) }),
  yaml: (secret) => `- value: ${secret} # note`,
  url: (secret) => `GET https://api.example/v1?x=1&v=${secret}&y=2 HTTP/1.1`,
  log: (secret) => `2026-11-17T10:00:00Z INFO got ${secret}, going on`,
  xml: (secret) => `<value>${secret}</value>`,
  csv: (secret) => `1,${secret},x`,
  markdown: (secret) => `Use \`${secret}\` to sign in.`,
  diff: (secret) => `+${secret}`,
  colour: (secret) => `\u001b[32m${secret}\u001b[0m`,
  long: (secret) => `${"x ".repeat(900)}${secret}${" y".repeat(300)}`,
};
