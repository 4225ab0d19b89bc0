/**
 * Decides when paired devices are notified, and of what: a question that waits, and the end of a run that took a while.
 * A notice says only that; nothing of a conversation, a file or a project leaves this machine with it.
 */
import { createHash } from "node:crypto";
import { includesScope } from "@kedge/protocol";
import type { Instance } from "../places/instance.ts";
import type { Instances } from "../places/instances.ts";
import { changeDevice, type DeviceAccess, type PushSubscription, type StoredDevice } from "./device-file.ts";
import type { KnownDevices } from "./known-devices.ts";

export type PushMessage = {
  readonly text: string;
  /** How long the push service keeps it for a device that is off. */
  readonly ttlSeconds: number;
  readonly urgency: "high" | "normal";
  /** A later message of the same topic takes the place of one that was not delivered yet. */
  readonly topic: string;
};

export type PushOutcome =
  | "sent"
  /** The browser has withdrawn the subscription. */
  | "gone"
  | "failed";

export interface PushSender {
  /** For `PushManager.subscribe`. */
  readonly publicKey: string;
  /** Only services that are known or that the user named: the address comes from the device. */
  accepts(endpoint: string): boolean;
  send(subscription: PushSubscription, message: PushMessage): Promise<PushOutcome>;
}

export type PushNoticesParts = DeviceAccess & {
  readonly instances: Pick<Instances, "onOpened" | "onReleased">;
  readonly known: Pick<KnownDevices, "list">;
  readonly sender: PushSender;
  readonly onBug: (error: unknown) => void;
  /** Whoever sits at the screen answers within this time, and needs no notice. */
  readonly answerMs?: number;
};

export interface PushNotices {
  /** Whether somebody who may approve is notified of questions. */
  hasApprovers(): boolean;
  close(): void;
}

const answerMsDefault = 3_000;
/** A run that took less was watched. */
const runMsMin = 10_000;
const questionTtlSeconds = 10 * 60;
const endTtlSeconds = 3_600;
const minuteMs = 60_000;
const noticesPerMinuteMax = 20;
const topicLength = 32;

export function notifyDevices(parts: PushNoticesParts): PushNotices {
  const { instances, known, sender, now, onBug, answerMs = answerMsDefault } = parts;
  const timers = new Set<NodeJS.Timeout>();
  const watched = new Map<Instance, () => void>();
  let sentAt: readonly number[] = [];

  const subscribed = (): readonly StoredDevice[] => known.list().filter(({ push }) => push !== undefined);

  async function notify(title: string, sessionId: string, kind: "question" | "end"): Promise<void> {
    const devices = subscribed().filter(({ scope }) => kind === "end" || includesScope(scope, "approve"));
    sentAt = sentAt.filter((at) => at > now() - minuteMs);
    if (devices.length === 0 || sentAt.length >= noticesPerMinuteMax) return;
    sentAt = [...sentAt, now()];
    const message: PushMessage = {
      text: JSON.stringify({ title, link: `/app/session/${sessionId}` }),
      ttlSeconds: kind === "question" ? questionTtlSeconds : endTtlSeconds,
      urgency: kind === "question" ? "high" : "normal",
      topic: createHash("sha256").update(`${kind} ${sessionId}`).digest("base64url").slice(0, topicLength),
    };
    await Promise.all(devices.map((device) => sendTo(device, message)));
  }

  async function sendTo({ deviceId, push }: StoredDevice, message: PushMessage): Promise<void> {
    if (push === undefined || (await sender.send(push, message)) !== "gone") return;
    changeDevice(parts, deviceId, ({ push: current, ...device }) =>
      current?.endpoint === push.endpoint || current === undefined ? device : { ...device, push: current },
    );
  }

  function ask(instance: Instance, asked: AskedFact, sessionId: string): void {
    const { kind, requestId, title } = asked;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (instance.requests.find(kind, requestId)?.answeredBy !== undefined) return;
      notify(title, sessionId, "question").catch(onBug);
    }, answerMs);
    timers.add(timer.unref());
  }

  /** What an agent does for a session is told by that session. */
  async function tellEnd(instance: Instance, sessionId: string, title: string): Promise<void> {
    const read = await instance.door.ask({ type: "session.read", sessionId });
    if (!read.ok || read.value.session.origin?.kind === "child") return;
    await notify(title, sessionId, "end");
  }

  function watch(instance: Instance): void {
    const stop = instance.subscribeAll((sessionId, event) => {
      if (event.kind !== "fact" || subscribed().length === 0) return;
      const { fact } = event.record;
      switch (fact.type) {
        case "permission.asked":
          return ask(
            instance,
            { kind: "permission", requestId: fact.requestId, title: "Permission needed" },
            sessionId,
          );
        case "question.asked":
          return ask(instance, { kind: "question", requestId: fact.requestId, title: "Question waiting" }, sessionId);
        case "run.ended": {
          if (fact.durationMs < runMsMin || fact.reason === "aborted") return;
          const title = fact.reason === "completed" ? "Run finished" : "Run stopped";
          tellEnd(instance, sessionId, title).catch(onBug);
          return;
        }
        default:
          return;
      }
    });
    watched.set(instance, stop);
  }

  instances.onOpened(watch);
  instances.onReleased(async (instance) => {
    watched.get(instance)?.();
    watched.delete(instance);
  });
  return {
    hasApprovers: () => subscribed().some(({ scope }) => includesScope(scope, "approve")),
    close() {
      for (const timer of timers) clearTimeout(timer);
      for (const stop of watched.values()) stop();
      watched.clear();
    },
  };
}

type AskedFact = {
  readonly kind: "permission" | "question";
  readonly requestId: string;
  readonly title: string;
};
