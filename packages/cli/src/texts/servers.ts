/** Texts of commands that serve, attach, share and work together. */
import { counted } from "@kedge/protocol";

export const acpTexts = {
  doesNotAccept: (word: string) => `kedge acp does not accept ${word}.`,
  startedByEditor: "kedge acp is started by an editor. Add kedge acp as an agent in the settings of your editor.",
};

export const attachTexts = {
  usage: "Usage: kedge attach [url], such as kedge attach http://127.0.0.1:20123.",
  notHere: (flag: string) => `kedge attach does not accept ${flag}. Set it where the server is started.`,
  mayNotApprove:
    "you can send prompts but not approve actions. To approve, pass the token printed by kedge serve with --token",
  badUrl: (url: string) => `${url} is not a valid server URL.`,
  urlForm: "Use the form http://127.0.0.1:20123.",
  needsToken: "The server requires a token.",
  passToken: "Pass it with --token or KEDGE_TOKEN. kedge serve prints one.",
  noServer: "No server is running for this directory.",
  otherVersion: "The server for this directory runs a different version of kedge.",
  noResponse: "The server for this directory does not respond.",
  startOne: "Start one with kedge serve, or pass a URL.",
  restartIt: "Stop it and start it again.",
};

export const desktopTexts = {
  doesNotAccept: (word: string) => `kedge desktop does not accept ${word}. It opens the current directory.`,
  openedRunning: (url: string) => `Opened ${url}\n`,
  notStarted: (browser: string, why: string) => `Cannot start ${browser} (${why}).`,
  opened: (url: string) => `Opened ${url} in a window. Close it or press Ctrl+C to stop.\n`,
  noDisplay: "No display found to open a window on.",
  useWeb: "Use kedge web --no-open and open the link elsewhere.",
  installBrowser: "Install one, set KEDGE_BROWSER to its path, or use kedge web.",
  noBrowser: "No Chromium, Chrome or Edge was found.",
  staysOpen: "Work is running or another client is connected, so the server keeps running. Press Ctrl+C to stop.",
};

export const deviceTexts = {
  usage: `Usage: kedge devices list [--json], kedge devices revoke <name or id>, kedge devices rename <name or id> <new name>, or
kedge devices pair [--scope <read|prompt|approve|admin>] --token <token of the server>.`,
  name: "name",
  scope: "scope",
  lastSeen: "last seen",
  notifications: "notifications",
  id: "id",
  none: "No devices. Pair one with kedge serve --lan.\n",
  revoked: (name: string, deviceId: string) => `Revoked ${name} (${deviceId}). Its connections are closed.\n`,
  notByAgent: "Commands run by the agent cannot change devices.",
  ownTerminal: "Run it in your own terminal.",
  noDevice: (name: string) => `No device ${name}.`,
  listHint: "List devices with kedge devices list.",
  severalNamed: (count: number, name: string) => `${count} devices are named ${name}.`,
  useId: "Use the id from kedge devices list.",
  passToken: "Pass the token that kedge serve printed with --token, or press Enter in the server's terminal.",
  needsToken: "Pairing requires a server token.",
  noServer: "No server is running for this directory.",
  startOne: "Start one with kedge serve --lan.",
  on: "on",
  off: "off",
};

export const joinTexts = {
  usage: 'Usage: kedge join "<link>". Whoever shares the session sends you the link.',
  notJoined: (why: string) => `Could not join: ${why}.`,
  mayPrompt: "You joined a shared session. You can send prompts.",
  mayWatch: "You joined a shared session. You can only watch.",
};

export const mcpServeTexts = {
  doesNotAccept: (word: string) => `kedge mcp serve does not accept ${word}.`,
  startedByClient: "kedge mcp serve is started by an MCP client. To serve over HTTP, pass --port.",
  unexpected: (error: string) => `Unexpected error: ${error}`,
  ready: (url: string, token: string) => `MCP server: ${url}\ntoken: ${token}\nPress Ctrl+C to stop.\n`,
};

export const pairingTexts = {
  pair: (address: string) => `Pair a device: scan the QR code, or open ${address} and enter the code.`,
  code: (code: string, until: string, scope: string) =>
    `  code         ${code}  (works once, until ${until}; scope ${scope})`,
  certificate: (fingerprint: string) => `  certificate  ${fingerprint}`,
  warning: "The browser warns about the certificate. Continue only if it shows this SHA-256 fingerprint.",
};

export const relayTexts = {
  usage: "Usage: kedge relay [--port <port>] [--hostname <address>] [--tls-cert <file> --tls-key <file>]",
  ready: (url: string, hint: string) => `Relay at ${url}\n${hint}\nPress Ctrl+C to stop.\n`,
  useIt: (url: string) => `Use it with kedge config set collab.relayUrl ${url}`,
  noCertificate: "It has no TLS certificate: other machines can only connect through a proxy that has one.",
};

export const serveTexts = {
  doesNotAccept: (word: string) => `kedge serve does not accept ${word}. It serves the current directory.`,
  tlsTogether: "--tls-cert and --tls-key must be used together.",
  serving: (directory: string, url: string, token: string) => `Serving ${directory} at ${url}\ntoken: ${token}\n`,
  stop: "Press Ctrl+C to stop.\n",
  devicesConnect: (url: string) => `Devices connect to ${url}\n`,
  anotherCode: "Press Enter for another code.\n",
  lanAndTailnet: "--lan and --tailnet cannot be used together.",
  alwaysTls: (flag: string) => `${flag} always uses TLS. Remove --insecure.`,
  pairedOnly: (flag: string) => `${flag} admits paired devices only. Remove --no-auth.`,
  ownCertificate: (flag: string) =>
    `${flag} makes its own certificate. To use yours, listen with --hostname, --tls-cert and --tls-key.`,
  listening: (hostname: string, others: string) =>
    `Listening on ${hostname}. Other addresses, for --hostname: ${others}.`,
  unexpected: (error: string) => `Unexpected error: ${error}`,
};

export const shareTexts = {
  usage: "Usage: kedge share [<session>], kedge share list, kedge share revoke <id>",
  listed: (shareId: string, sessionId: string, server: string, until: string) =>
    `${shareId}  ${sessionId}  ${server}  until ${until}`,
  none: "No shared copies.",
  deleted: "Deleted. The link no longer works.\n",
  secretsReplaced: (count: number) => `${counted(count, "secret")} replaced`,
  pass: (sessionId: string, size: string, secrets: string, server: string) =>
    `Pass ${sessionId} (${size}, not encrypted, ${secrets}) to ${server}?`,
  upload: (sessionId: string, size: string, secrets: string, server: string) =>
    `Upload ${sessionId} (${size} encrypted, ${secrets}) to ${server}?`,
  nothingUploaded: "Nothing was uploaded. To confirm without a terminal, pass --yes.",
  done: (link: string, shareId: string) => `${link}\nDelete it with kedge share revoke ${shareId}\n`,
  size: (kilobytes: number) => `${kilobytes} KB`,
};

export const teamTexts = {
  usage: `Usage:
       kedge team list                         list teams, with their teammates and tasks
       kedge team show <team>                  show one
       kedge team land <team> [teammate]...    merge the work of its teammates, running the tests after each
       kedge team stop <team>                  ask its teammates to shut down`,
  noTeam: (name: string) => `No team named ${name}. List teams with kedge team list.`,
};

export const teammateTexts = {
  notByHand: "Team leaders run this command; it cannot be started by hand.",
  greeting: (name: string, team: string) =>
    `${name}, teammate in ${team}. Type a message, or press Ctrl+C to interrupt.\n\n`,
  shutDown: "Shut down by the leader.",
  ended: "Ended.",
  leaderExited: "The leader has exited.",
};

export const tokenTexts = {
  usage: `Usage: kedge token add --scope <read|prompt|approve|admin> --ttl <30d> --name <name>, kedge token list, or
kedge token remove <name or id>.`,
  badLifetime: "--ttl must be a duration such as 90m, 12h or 30d.",
  created: (name: string, scope: string, until: string) =>
    `${name} has ${scope} access until ${until}. The token is shown only once.`,
  name: "name",
  scope: "scope",
  validUntil: "valid until",
  id: "id",
  none: "No tokens. Create one with kedge token add.\n",
  noToken: (name: string) => `No token named ${name}. List tokens with kedge token list.`,
};

export const webTexts = {
  doesNotAccept: (word: string) => `kedge web does not accept ${word}. It opens the current directory.`,
  stop: "Press Ctrl+C to stop.\n",
  opened: (url: string, link: string) =>
    `Opened the web app at ${url}\nIf no browser appeared, open this link within a minute: ${link}\n`,
  serving: (url: string, link: string) => `Serving the web app at ${url}\nOpen this link within a minute: ${link}\n`,
};
