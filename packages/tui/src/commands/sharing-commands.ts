/** Commands about sharing: showing the session live to others, and uploading a sealed copy of it. */
import { type CommandAnswer, counted } from "@kedge/protocol";
import { type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = "Session";

export const sharingCommands: readonly SlashCommand[] = [
  {
    name: "collab",
    aliases: [],
    summary: "Share this session live and show its links",
    group,
    argumentHint: "[view|status|stop|rotate|kick <guest>|allow <guest>|deny <guest>|<relay>]",
    arguments: ["view", "status", "stop", "rotate"],
    run: runCollab,
  },
  {
    name: "join",
    aliases: [],
    summary: "Show how to join a session that is shared with you",
    group,
    argumentHint: "<link>",
    run: tellHowToJoin,
  },
  {
    name: "leave",
    aliases: [],
    summary: "Stop sharing this session, or leave it as a guest",
    group,
    run: (_, context) => leave(context),
  },
  {
    name: "share",
    aliases: [],
    summary: "Upload an encrypted copy of this session and show its link",
    group,
    run: (_, context) => share(context),
  },
];

async function runCollab(argument: string, context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk, notice } = context;
  const { id: sessionId } = session;
  const [action = "", word = ""] = argument.split(/\s+/);
  switch (action) {
    case "status":
      return showStatus(sessionId, context);
    case "stop":
      return stop(sessionId, context);
    case "rotate": {
      const moved = await desk.send<"collab.rotate">({ type: "collab.rotate", sessionId });
      if (moved.ok)
        notice(
          "success",
          `New links created. Connected guests stay; the old links no longer work.\n${linkLines(moved.value)}`,
        );
      return;
    }
    case "kick":
    case "allow":
    case "deny":
      if (/^[1-9]\d{0,8}$/.test(word)) return changeGuest(action, { sessionId, guest: word }, context);
      return notice("warning", `Which guest? Use /collab ${action} <number>; /collab status lists them.`);
    default:
      return start(sessionId, action, context);
  }
}

async function stop(sessionId: string, { desk, notice }: CommandContext): Promise<void> {
  const stopped = await desk.send<"collab.stop">({ type: "collab.stop", sessionId });
  if (!stopped.ok) return;
  notice("info", stopped.value.wasShared ? "No longer shared. The links no longer work." : "Not shared.");
}

/** Whoever may not administer the session is a guest of it. */
async function leave(context: CommandContext): Promise<void> {
  const { session, scope = "admin" } = context.state();
  if (scope !== "admin") return context.exit();
  if (session === undefined) return context.notice("info", "Not shared.");
  return stop(session.id, context);
}

/** A shell reads the command that is shown: nothing in it may mean something to one. */
const linkCharacters = /^[\w.:/#%[\]~-]{1,500}$/;

/** A guest is a kedge of its own, beside the session that is open here. */
async function tellHowToJoin(argument: string, { notice }: CommandContext): Promise<void> {
  const link = argument.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (linkCharacters.test(link)) return notice("info", `Run this in another terminal:\nkedge join "${link}"`);
  notice("warning", "This is not a link to a shared session. Usage: /join <link>");
}

type OneGuest = { readonly sessionId: string; readonly guest: string };

async function changeGuest(action: "kick" | "allow" | "deny", one: OneGuest, context: CommandContext): Promise<void> {
  const { desk, notice } = context;
  if (action === "kick") {
    const kicked = await desk.send<"collab.kick">({ type: "collab.kick", ...one });
    if (kicked.ok)
      notice("success", `Guest removed. The links were replaced for everyone else.\n${linkLines(kicked.value)}`);
    return;
  }
  const rights = action === "allow" ? "full" : "view";
  const set = await desk.send<"collab.rights">({ type: "collab.rights", ...one, rights });
  if (set.ok)
    notice("success", rights === "full" ? "This guest can send prompts now." : "This guest can only watch now.");
}

async function start(sessionId: string, word: string, context: CommandContext): Promise<void> {
  const { desk, notice, askQuestions } = context;
  const isView = word === "view";
  const relay = word === "" || isView ? {} : { relay: word };
  const wish = { type: "collab.start", sessionId, ...relay } as const;
  const asked = await desk.send<"collab.start">(wish);
  if (!asked.ok) return;
  const begun = asked.value.isShared ? asked : await confirmed();
  if (begun?.ok) notice("success", `Shared through ${begun.value.relay}.\n${linkLines(begun.value, isView)}`);

  async function confirmed() {
    if (!asked.ok) return undefined;
    const { shows, relay: through } = asked.value;
    const [answer] =
      (await askQuestions([
        {
          question: `Share this session through ${through}? ${shows}`,
          options: [
            { label: "Share", description: "Create the links" },
            { label: "Cancel", description: "Send nothing" },
          ],
        },
      ])) ?? [];
    return answer === "Share" ? desk.send<"collab.start">({ ...wish, isConfirmed: true }) : undefined;
  }
}

type Links = Pick<Extract<CommandAnswer<"collab.start">, { readonly ok: true }>["value"], "full" | "view">;

/** The full link gives rights, so whoever asks for the other one sees that alone. */
function linkLines({ full, view }: Links, isViewOnly = false): string {
  const lines = (title: string, link: Links["full"]) => (link === undefined ? [] : [title, link.page]);
  return [
    ...(isViewOnly ? [] : lines("To send prompts:", full)),
    ...lines("To watch:", view),
    'Open a link in a browser, or with kedge join "<link>".',
  ].join("\n");
}

async function showStatus(sessionId: string, { client, notice }: CommandContext): Promise<void> {
  const read = await client.ask<"collab.status">({ type: "collab.status", sessionId });
  if (!read.ok) return notice("error", read.failure.message);
  const { isShared, isConnected, relay, guests, refusals } = read.value;
  if (!isShared) return notice("info", "Not shared. Share this session with /collab.");
  const state = isConnected ? `Shared through ${relay}.` : `The relay ${relay} cannot be reached; retrying.`;
  const people = guests.map(
    ({ guest, name, rights }) => `  ${guest}  ${name} (${rights === "full" ? "can prompt" : "watching"})`,
  );
  const refused = refusals.slice(-5).map(({ guest, what, why }) => `  Refused: ${what} from ${guest}: ${why}`);
  notice("info", [state, people.length === 0 ? "No guests yet." : "Guests:", ...people, ...refused].join("\n"));
}

async function share(context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk, notice, askQuestions } = context;
  const wish = { type: "share.create", sessionId: session.id } as const;
  const asked = await desk.send<"share.create">(wish);
  if (!asked.ok) return;
  const { server, bytes, secrets, isHandler } = asked.value;
  const size = `${Math.max(1, Math.round(bytes / 1024))} KB`;
  const [answer] =
    (await askQuestions([
      {
        question: isHandler
          ? `Pass a copy of this session to ${server}? It is ${size}, not encrypted, with ${counted(secrets, "secret")} replaced.`
          : `Upload a copy of this session to ${server}? It is ${size}, encrypted so that only people with the link can read it, with ${counted(secrets, "secret")} replaced.`,
        options: [
          isHandler
            ? { label: "Upload", description: "Run your upload handler" }
            : { label: "Upload", description: "Anyone with the link can read it for 30 days, or until you revoke it" },
          { label: "Cancel", description: "Send nothing" },
        ],
      },
    ])) ?? [];
  if (answer !== "Upload") return;
  const sent = await desk.send<"share.create">({ ...wish, isConfirmed: true });
  if (!sent.ok) return;
  const { link = "", shareId = "" } = sent.value;
  if (isHandler) return notice("success", link);
  notice("success", `${link}\nDelete it with kedge share revoke ${shareId}.`);
}
