/** The devices that were paired with this server, and whether this one gets notifications. */
import type { Client, QueryAnswer } from "@kedge/protocol";
import { withCode } from "../frame/with-code.tsx";
import { visibleLine } from "../parts/visible-text.ts";
import * as texts from "../texts/views/devices.ts";
import { Action, Empty, Facts, Loaded, Panel } from "../views/panel.tsx";
import { Scrolling } from "../views/scrolling.ts";
import { sentenceOf, useAsked } from "../views/use-asked.ts";
import type { ViewProps } from "../views/view-props.ts";
import { switchOff, switchOn } from "./notifications.ts";

type Listed = Extract<QueryAnswer<"device.list">, { ok: true }>["value"];
type Device = Listed["devices"][number];

export default function Devices({ client }: ViewProps) {
  const listed = useAsked("devices", () => client.ask<"device.list">({ type: "device.list" }));
  return (
    <Panel title={texts.title}>
      <Loaded of={listed} loading={texts.loading}>
        {(value) => (
          <>
            <Reach {...value} />
            <Notifications client={client} listed={value} again={listed.again} />
            {value.devices.length === 0 ? (
              <Empty>{texts.none}</Empty>
            ) : (
              <DeviceTable client={client} devices={value.devices} again={listed.again} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Reach({ reach }: Listed) {
  if (reach === undefined) {
    return <p class="view-note">{withCode(texts.localOnly)}</p>;
  }
  return (
    <Facts
      rows={[
        [texts.address, <span class="view-mono">{reach.url}</span>],
        [texts.certificate, <span class="view-mono">{reach.fingerprint}</span>],
      ]}
    />
  );
}

type PartProps = { readonly client: Client; readonly again: () => void };

function Notifications({ client, listed: { devices, pushKey }, again }: PartProps & { readonly listed: Listed }) {
  const current = devices.find(({ isCurrent }) => isCurrent === true);
  if (current === undefined || pushKey === undefined) return null;
  const act = async () => {
    const problem = current.isNotified ? await switchOff(client) : await switchOn(client, pushKey);
    again();
    return problem;
  };
  return (
    <p class="view-note">
      {current.isNotified ? texts.notified : texts.notNotified}{" "}
      <Action label={current.isNotified ? texts.turnOff : texts.turnOn} act={act} />
    </p>
  );
}

function DeviceTable({ client, devices, again }: PartProps & { readonly devices: readonly Device[] }) {
  async function revoke({ deviceId, isCurrent }: Device): Promise<string | undefined> {
    const answer = await client.send<"device.revoke">({ type: "device.revoke", deviceId });
    if (isCurrent === true) location.reload();
    else again();
    return answer.ok ? undefined : sentenceOf(answer.failure);
  }
  return (
    <Scrolling class="view-scroll" label={texts.pairedDevices}>
      <table class="view-table">
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.scope}</th>
            <th scope="col">{texts.lastSeen}</th>
            <th scope="col">{texts.notifications}</th>
            <th scope="col">{texts.change}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <tr key={device.deviceId}>
              <td>
                {visibleLine(device.name)}
                {device.isCurrent === true && ` ${texts.thisDevice}`}
              </td>
              <td>{device.scope}</td>
              <td>{new Date(device.seenAt).toLocaleString()}</td>
              <td>{device.isNotified ? texts.on : texts.off}</td>
              <td>
                <Action
                  label={device.isCurrent === true ? texts.signOut : texts.revoke}
                  question={device.isCurrent === true ? texts.signOutQuestion : texts.revokeQuestion}
                  tone="danger"
                  act={() => revoke(device)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
