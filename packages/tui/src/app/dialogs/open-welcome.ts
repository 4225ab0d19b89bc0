/** The first start: no model is configured, so the user chooses where one comes from. */

import type { QueryAnswers } from "@kedge/protocol";
import { createListDialog } from "../../dialogs/list/list-dialog.ts";
import { createWelcome, type WelcomeProvider } from "../../dialogs/model/welcome-dialogs.ts";
import { cleanLine } from "../../screen/clean-text.ts";
import { listTexts } from "../../texts/dialogs.ts";
import { welcomeTexts } from "../../texts/onboarding.ts";
import { type DialogParts, openClosing } from "./dialog-parts.ts";
import { chooseModel, openModels } from "./picker-dialogs.ts";

/** Those that most people have a key of, before the others. */
const wellKnown: readonly string[] = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
  "mistral",
  "groq",
  "deepseek",
  "xai",
];

type LocalServer = {
  readonly providerId: string;
  readonly name: string;
  readonly url: string;
  readonly models: readonly string[];
};

const demoId = "kedge demo";

export async function openWelcome(parts: DialogParts): Promise<void> {
  const { client, dialogs, look, desk, redraw } = parts;
  const [listed, found] = await Promise.all([
    client.ask<"provider.list">({ type: "provider.list" }),
    client.ask<"server.find">({ type: "server.find" }),
  ]);
  const servers: readonly LocalServer[] = found.ok ? found.value.servers : [];
  const known = listed.ok ? listed.value.providers : [];
  const offered = known.toSorted((left, right) => rankOf(left) - rankOf(right) || compareNames(left, right));
  const providers: readonly WelcomeProvider[] = [
    ...servers.map(({ providerId, name, url }) => ({
      ...{ id: providerId, label: welcomeTexts.onThisMachine(name), detail: url, needsKey: false },
    })),
    ...offered.map((provider) => ({
      id: provider.providerId,
      label: provider.name,
      detail: keyText(provider),
      needsKey: !provider.hasKey,
    })),
    { id: demoId, label: welcomeTexts.demo, detail: welcomeTexts.aboutDemo, needsKey: false },
  ];
  openClosing(dialogs, (close) =>
    createWelcome({
      providers,
      theme: look.theme,
      now: parts.parts.now,
      async check({ id, key }, signal) {
        const tried = await client.send<"credential.check">(
          { type: "credential.check", providerId: id, key },
          { signal },
        );
        if (!tried.ok) return { ok: false, sentence: tried.failure.message };
        const { isGood, isUnchecked, sentence } = tried.value;
        // Somebody who is offline knows the key better than a vendor that cannot be asked.
        if (!isGood && isUnchecked !== true) return { ok: false, sentence };
        const stored = await desk().send<"credential.set">({ type: "credential.set", providerId: id, key });
        if (stored.ok && !isGood) parts.notice("warning", `${sentence} ${welcomeTexts.keyStoredAnyway}`);
        return stored.ok ? { ok: true, sentence } : { ok: false, sentence: stored.failure.message };
      },
      onDone(providerId) {
        close();
        if (providerId === demoId) return parts.leaveForDemo();
        const { models = [] } = servers.find((server) => server.providerId === providerId) ?? {};
        const [only, ...more] = models;
        if (only === undefined) openModels(parts);
        else if (more.length === 0) void chooseModel(parts, `${providerId}/${only}`);
        else openServerModels(parts, providerId, models);
      },
      onLeave: close,
      onChange: redraw,
    }),
  );
}

type Offered = QueryAnswers["provider.list"]["providers"][number];

function keyText({ hasKey, keySource }: Offered): string {
  if (!hasKey) return welcomeTexts.keyNeeded;
  return keySource === undefined ? welcomeTexts.noKeyNeeded : welcomeTexts.keyFound;
}

/** What can be used at once stands first. A server that needs no key may not be running. */
function rankOf({ providerId, hasKey, keySource }: Offered): number {
  if (hasKey && keySource !== undefined) return -1;
  const rank = wellKnown.indexOf(providerId);
  return rank === -1 ? wellKnown.length : rank;
}

function compareNames(left: Offered, right: Offered): number {
  return left.name.localeCompare(right.name, "en");
}

/** Those of one server alone, which the catalogue may not know. */
function openServerModels(parts: DialogParts, providerId: string, models: readonly string[]): void {
  const items = models.map((model) => ({ value: model, label: cleanLine(model) }));
  openClosing(parts.dialogs, (close) =>
    createListDialog<string>({
      title: welcomeTexts.serverModels,
      theme: parts.look.theme,
      items: () => items,
      emptyText: "",
      hint: listTexts.close,
      onChoose(model) {
        close();
        void chooseModel(parts, `${providerId}/${model}`);
      },
    }),
  );
}
