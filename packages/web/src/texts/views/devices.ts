/** Texts of the view of paired devices. */

export const title = "Devices";
export const loading = "Loading devices…";
export const none = "No paired devices.";
export const address = "Address";
export const certificate = "Certificate";
export const turnOff = "Turn off notifications";
export const turnOn = "Turn on notifications";
export const pairedDevices = "Paired devices";
export const name = "Name";
export const scope = "Scope";
export const lastSeen = "Last seen";
export const notifications = "Notifications";
export const change = "Change";
export const signOut = "Sign out";
export const revoke = "Revoke";
export const signOutQuestion = "Sign out this device?";
export const revokeQuestion = "Revoke this device?";
export const notAllowed = "The browser does not allow notifications here.";
export const pushUnreachable = "The push service of this browser cannot be reached.";
export const needsCertificate =
  "Notifications need a trusted certificate. Install it from /app/kedge-ca.crt on this device and reload the page.";
export const localOnly =
  "This server only accepts connections from its own machine. To pair a device, start it with `kedge serve --lan`.";
export const notified = "This device is notified when kedge asks a question or a run ends.";
export const notNotified = "Notifications are off on this device.";
export const thisDevice = "(this device)";
export const on = "on";
export const off = "off";
