/** The devices that were paired with this server, and whether this one gets notifications. */
import type { Client, QueryAnswer } from "@kedge/protocol";
import { visibleLine } from "../parts/visible-text.ts";
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
    <Panel title="Devices">
      <Loaded of={listed} loading="Loading devices…">
        {(value) => (
          <>
            <Reach {...value} />
            <Notifications client={client} listed={value} again={listed.again} />
            {value.devices.length === 0 ? (
              <Empty>No paired devices.</Empty>
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
    return (
      <p class="view-note">
        This server listens on its own machine only. Start it with <code>kedge serve --lan</code> to pair a device.
      </p>
    );
  }
  return (
    <Facts
      rows={[
        ["Address", <span class="view-mono">{reach.url}</span>],
        ["Certificate", <span class="view-mono">{reach.fingerprint}</span>],
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
      {current.isNotified
        ? "This device is notified when kedge asks a question or a run ends. "
        : "Notifications are off on this device. "}
      <Action label={current.isNotified ? "Turn off notifications" : "Turn on notifications"} act={act} />
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
    <Scrolling class="view-scroll" label="Paired devices">
      <table class="view-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scope</th>
            <th scope="col">Last seen</th>
            <th scope="col">Notifications</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <tr key={device.deviceId}>
              <td>
                {visibleLine(device.name)}
                {device.isCurrent === true && " (this device)"}
              </td>
              <td>{device.scope}</td>
              <td>{new Date(device.seenAt).toLocaleString()}</td>
              <td>{device.isNotified ? "on" : "off"}</td>
              <td>
                <Action
                  label={device.isCurrent === true ? "Sign out" : "Revoke"}
                  question={device.isCurrent === true ? "Sign out this device?" : "Revoke this device?"}
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
