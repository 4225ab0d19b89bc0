/** Commands about sharing: showing the session live to others, and uploading a sealed copy of it. */

import type { CommandAnswer } from "@kedge/protocol";
import { sharingTexts } from "../texts/commands.ts";
import { argumentTexts, groupTexts, sessionCommandTexts } from "../texts/palette.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import type { SlashCommand } from "./slash-command.ts";

const group = groupTexts.session;

export const sharingCommands: readonly SlashCommand[] = [
  {
    name: "collab",
    aliases: [],
    summary: sessionCommandTexts.collab,
    group,
    argumentHint: argumentTexts.collab,
    arguments: ["view", "status", "stop", "rotate"],
    run: runCollab,
  },
  {
    name: "join",
    aliases: [],
    summary: sessionCommandTexts.join,
    group,
    argumentHint: argumentTexts.join,
    run: tellHowToJoin,
  },
  {
    name: "leave",
    aliases: [],
    summary: sessionCommandTexts.leave,
    group,
    run: (_, context) => leave(context),
  },
  {
    name: "share",
    aliases: [],
    summary: sessionCommandTexts.share,
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
      if (moved.ok) notice("success", `${sharingTexts.newLinks}\n${linkLines(moved.value)}`);
      return;
    }
    case "kick":
    case "allow":
    case "deny":
      if (/^[1-9]\d{0,8}$/.test(word)) return changeGuest(action, { sessionId, guest: word }, context);
      return notice("warning", sharingTexts.whichGuest(action));
    default:
      return start(sessionId, action, context);
  }
}

async function stop(sessionId: string, { desk, notice }: CommandContext): Promise<void> {
  const stopped = await desk.send<"collab.stop">({ type: "collab.stop", sessionId });
  if (!stopped.ok) return;
  notice("info", stopped.value.wasShared ? sharingTexts.noLongerShared : sharingTexts.notShared);
}

/** Whoever may not administer the session is a guest of it. */
async function leave(context: CommandContext): Promise<void> {
  const { session, scope = "admin" } = context.state();
  if (scope !== "admin") return context.exit();
  if (session === undefined) return context.notice("info", sharingTexts.notShared);
  return stop(session.id, context);
}

/** A shell reads the command that is shown: nothing in it may mean something to one. */
const linkCharacters = /^[\w.:/#%[\]~-]{1,500}$/;

/** A guest is a kedge of its own, beside the session that is open here. */
async function tellHowToJoin(argument: string, { notice }: CommandContext): Promise<void> {
  const link = argument.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (linkCharacters.test(link)) return notice("info", sharingTexts.joinElsewhere(link));
  notice("warning", sharingTexts.notALink);
}

type OneGuest = { readonly sessionId: string; readonly guest: string };

async function changeGuest(action: "kick" | "allow" | "deny", one: OneGuest, context: CommandContext): Promise<void> {
  const { desk, notice } = context;
  if (action === "kick") {
    const kicked = await desk.send<"collab.kick">({ type: "collab.kick", ...one });
    if (kicked.ok) notice("success", `${sharingTexts.guestRemoved}\n${linkLines(kicked.value)}`);
    return;
  }
  const rights = action === "allow" ? "full" : "view";
  const set = await desk.send<"collab.rights">({ type: "collab.rights", ...one, rights });
  if (set.ok) notice("success", rights === "full" ? sharingTexts.guestCanPrompt : sharingTexts.guestCanWatch);
}

async function start(sessionId: string, word: string, context: CommandContext): Promise<void> {
  const { desk, notice, askQuestions } = context;
  const isView = word === "view";
  const relay = word === "" || isView ? {} : { relay: word };
  const wish = { type: "collab.start", sessionId, ...relay } as const;
  const asked = await desk.send<"collab.start">(wish);
  if (!asked.ok) return;
  const begun = asked.value.isShared ? asked : await confirmed();
  if (begun?.ok)
    notice("success", `${sharingTexts.sharedThrough(begun.value.relay)}\n${linkLines(begun.value, isView)}`);

  async function confirmed() {
    if (!asked.ok) return undefined;
    const { shows, relay: through } = asked.value;
    const [answer] =
      (await askQuestions([
        {
          question: sharingTexts.askShare({ relay: through, shows }),
          options: [
            { label: sharingTexts.share, description: sharingTexts.aboutShare },
            { label: sharingTexts.cancel, description: sharingTexts.aboutCancel },
          ],
        },
      ])) ?? [];
    return answer === sharingTexts.share ? desk.send<"collab.start">({ ...wish, isConfirmed: true }) : undefined;
  }
}

type Links = Pick<Extract<CommandAnswer<"collab.start">, { readonly ok: true }>["value"], "full" | "view">;

/** The full link gives rights, so whoever asks for the other one sees that alone. */
function linkLines({ full, view }: Links, isViewOnly = false): string {
  const lines = (title: string, link: Links["full"]) => (link === undefined ? [] : [title, link.page]);
  return [
    ...(isViewOnly ? [] : lines(sharingTexts.linkToPrompt, full)),
    ...lines(sharingTexts.linkToWatch, view),
    sharingTexts.openLink,
  ].join("\n");
}

async function showStatus(sessionId: string, { client, notice }: CommandContext): Promise<void> {
  const read = await client.ask<"collab.status">({ type: "collab.status", sessionId });
  if (!read.ok) return notice("error", read.failure.message);
  const { isShared, isConnected, relay = "", guests, refusals } = read.value;
  if (!isShared) return notice("info", sharingTexts.notSharedYet);
  const state = isConnected ? sharingTexts.sharedThrough(relay) : sharingTexts.relayLost(relay);
  const people = guests.map(({ guest, name, rights }) =>
    sharingTexts.guest({
      ...{ number: guest, name },
      rights: rights === "full" ? sharingTexts.canPrompt : sharingTexts.watches,
    }),
  );
  const refused = refusals.slice(-5).map(({ guest, what, why }) => sharingTexts.refused({ what, guest, why }));
  notice(
    "info",
    [state, people.length === 0 ? sharingTexts.noGuests : sharingTexts.guests, ...people, ...refused].join("\n"),
  );
}

async function share(context: CommandContext): Promise<void> {
  const session = sessionOf(context);
  if (session === undefined) return;
  const { desk, notice, askQuestions } = context;
  const wish = { type: "share.create", sessionId: session.id } as const;
  const asked = await desk.send<"share.create">(wish);
  if (!asked.ok) return;
  const { server, bytes, secrets, isHandler } = asked.value;
  const size = sharingTexts.size(Math.max(1, Math.round(bytes / 1024)));
  const [answer] =
    (await askQuestions([
      {
        question: isHandler
          ? sharingTexts.askHandler({ server, size, secrets })
          : sharingTexts.askUpload({ server, size, secrets }),
        options: [
          isHandler
            ? { label: sharingTexts.upload, description: sharingTexts.aboutHandler }
            : { label: sharingTexts.upload, description: sharingTexts.aboutUpload },
          { label: sharingTexts.cancel, description: sharingTexts.aboutCancel },
        ],
      },
    ])) ?? [];
  if (answer !== sharingTexts.upload) return;
  const sent = await desk.send<"share.create">({ ...wish, isConfirmed: true });
  if (!sent.ok) return;
  const { link = "", shareId = "" } = sent.value;
  if (isHandler) return notice("success", link);
  notice("success", sharingTexts.uploaded({ link, shareId }));
}
