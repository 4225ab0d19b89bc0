/** Switches notifications on or off on this device. */
import type { Client } from "@kedge/protocol";
import * as texts from "../texts/views/devices.ts";
import { sentenceOf } from "../views/use-asked.ts";
import { registerWorker } from "./register.ts";

/** Gives back a sentence when it failed. */
export async function switchOn(client: Client, pushKey: string): Promise<string | undefined> {
  const registration = await registerWorker();
  if (registration === undefined || !("pushManager" in registration)) return untrusted;
  if ((await Notification.requestPermission()) !== "granted") return texts.notAllowed;
  const ready = await navigator.serviceWorker.ready;
  let subscription: PushSubscription;
  try {
    subscription = await ready.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  } catch {
    return texts.pushUnreachable;
  }
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  const answer = await client.send<"push.subscribe">({
    ...{ type: "push.subscribe", endpoint: endpoint ?? "", p256dh, auth },
  });
  if (answer.ok) return undefined;
  await subscription.unsubscribe();
  return sentenceOf(answer.failure);
}

export async function switchOff(client: Client): Promise<string | undefined> {
  const answer = await client.send<"push.unsubscribe">({ type: "push.unsubscribe" });
  const registration = await navigator.serviceWorker?.getRegistration("/app");
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  return answer.ok ? undefined : sentenceOf(answer.failure);
}

const untrusted = texts.needsCertificate;
