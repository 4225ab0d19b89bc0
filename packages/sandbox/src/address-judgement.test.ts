import { expect, test } from "vitest";
import { judgeUrl, judgeUrlJourney, lookUpIn, type UrlPolicy } from "./address-judgement.ts";

function blocked(urls: readonly string[], addresses: readonly string[] = ["93.184.215.14"]): readonly string[] {
  return urls.filter((url) => judgeUrl({ url, addresses }).verdict === "block");
}

function named(policy: UrlPolicy, urls: readonly string[], addresses: readonly string[]): readonly string[] {
  return urls.filter((url) => judgeUrl({ url, addresses, policy }).verdict === "allow");
}

test("ordinary pages are allowed, on any port, in any spelling of a public host", () => {
  const urls = [
    "https://example.com",
    "http://example.com/a/b?c=d#e",
    "HTTPS://EXAMPLE.COM./",
    "https://example.com:8443/",
    "https://sub.example.co.uk/@user/post?mail=a@b.c",
    "https://bücher.example/",
    "https://xn--bcher-kva.example/",
    "https://example.com/?pattern=\\d+",
    "https://example.com/#a\\b",
    "https://8.8.8.8/",
    "https://134744072/",
    "https://[2606:4700:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::808:808]/",
    "https://100.63.255.255/",
    "https://100.128.0.0/",
    "https://172.15.255.255/",
    "https://172.32.0.0/",
    "https://198.17.255.255/",
    "https://198.20.0.0/",
    "https://223.255.255.255/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
  ];
  expect(blocked(urls)).toEqual([]);
});

const refusedTexts: readonly string[] = [
  "",
  "example.com",
  "//example.com/",
  "/etc/passwd",
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com:70/_x",
  "data:text/html,hi",
  "javascript:alert(1)",
  "ws://example.com/",
  "blob:https://example.com/1",
  "view-source:https://example.com/",
  "http:example.com",
  "http:/example.com",
  "http:///example.com",
  "https://",
  "https:///",
  "https://?x",
  "https://user@example.com/",
  "https://user:secret@example.com/",
  "https://:secret@example.com/",
  "https://@example.com/",
  "https://example.com@127.0.0.1/",
  "https://127.0.0.1@example.com/",
  "https://example.com%40127.0.0.1/",
  "https://example.com\\@127.0.0.1/",
  "https://example.com\\.127.0.0.1/",
  "https:\\\\example.com\\",
  "https://example.com/\\evil",
  "https://exa\tmple.com/",
  "https://exa\nmple.com/",
  "https://example.com/\r\nHost: x",
  " https://example.com/",
  "https://example.com/ ",
  "https://example.com\0.internal/",
  "https://exa mple.com/",
  "https://example..com/",
  "https://./",
  "https://../",
  "https://.example.com/",
  "https://example.com:99999/",
  "https://[::1",
  "https://[fe80::1%25eth0]/",
  "https://[fe80::1%eth0]/",
  "https://256.1.1.1/",
  "https://1.2.3.4.5/",
  "https://4294967296/",
  `https://example.com/${"a".repeat(9_000)}`,
];

test("other schemes, credentials and texts that programs read differently are refused", () => {
  expect(blocked(refusedTexts)).toEqual(refusedTexts);
});

/** Each is loopback, link-local or unspecified once a browser has read it. */
const oddSpellings: readonly string[] = [
  "http://127.0.0.1/",
  "http://127.0.0.1./",
  "http://127.1/",
  "http://127.0.1/",
  "http://0177.0.0.1/",
  "http://0177.0.0.01/",
  "http://0x7f.0.0.1/",
  "http://0x7f.1/",
  "http://0X7F000001/",
  "http://017700000001/",
  "http://2130706433/",
  "http://2130706433./",
  "http://127.255.255.254/",
  "http://0/",
  "http://0x/",
  "http://0.0.0.0/",
  "http://①②⑦.⓪.⓪.①/",
  "http://１２７.0.0.1/",
  "http://127。0。0。1/",
  "http://127．0．0．1/",
  "http://%31%32%37.0.0.1/",
  "http://127.0.0.1\u200b/",
  "http://12\u00ad7.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://2852039166/",
  "http://0251.0376.0251.0376/",
  "http://169.254.43518/",
  "http://[::]/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[0000::0001]:8080/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[0:0:0:0:0:ffff:169.254.169.254]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[64:ff9b:1::8.8.8.8]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:a9fe:a9fe::1]/",
  "http://[2001:0:7f00:1::]/",
  "http://[2606:4700::5efe:127.0.0.1]/",
  "http://[2606:4700::200:5efe:10.0.0.1]/",
];

test("no spelling of an address hides that it is not public", () => {
  expect(blocked(oddSpellings, [])).toEqual(oddSpellings);
});

/** Both ends of every block. */
const closedAddresses: readonly string[] = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "100.100.100.200"],
  ...["127.0.0.0", "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.255.255", "172.16.0.0"],
  ...["172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.88.99.1"],
  ...["192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.0"],
  ...["239.255.255.255", "240.0.0.0", "255.255.255.255", "::", "::1", "::2", "100::1", "1fff:ffff::1", "2001::1"],
  ...["2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "2001:db8:ffff::1", "2002::1"],
  ...["3fff::1", "3fff:fff:ffff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1"],
  ...["fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ffff::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1"],
  ...["", "0x7f.1", "127.1", "example.com", "1.2.3.4/8", "[::1]"],
];

test("a name is refused for any address that is not public, wherever in the list it stands", () => {
  const url = "https://example.com/";
  const verdicts = (place: (address: string) => readonly string[]) =>
    closedAddresses.filter((address) => judgeUrl({ url, addresses: place(address) }).verdict === "block");
  expect(verdicts((address) => [address])).toEqual(closedAddresses);
  expect(verdicts((address) => ["8.8.8.8", address])).toEqual(closedAddresses);
  expect(verdicts((address) => [address, "2606:4700::1"])).toEqual(closedAddresses);
});

test("names of this machine, its network and its cloud are refused whatever they resolve to", () => {
  const urls = [
    ...["http://localhost/", "http://LOCALHOST./", "http://app.localhost:3000/", "http://localhost.localdomain/"],
    ...["http://ⓛocalhost/", "http://loc%61lhost/", "http://printer.local/", "http://db.internal/", "http://wiki/"],
    ...["http://metadata/", "http://metadata.google.internal/", "http://metadata.google.internal./", "http://nas.lan/"],
    ...["http://metadata.goog/", "http://instance-data/", "http://metadata.tencentyun.com/", "http://-1/"],
    ...["http://host.docker.internal/", "http://kubernetes.default.svc/", "http://api.default.svc.cluster.local/"],
    ...["http://router.home.arpa/", "http://127.0.0.1.nip.io/", "http://7f000001.nip.io/", "http://a.localtest.me/"],
  ];
  expect(blocked(urls)).toEqual(urls);
  expect(urls.filter((url) => judgeUrl({ url }).verdict === "block")).toEqual(urls);
});

test("before the look-up only the text decides; a name without an address is refused", () => {
  expect(judgeUrl({ url: "https://example.com/" })).toEqual({
    verdict: "allow",
    why: "nothing suspicious in the URL of example.com",
    isNamed: false,
  });
  expect(judgeUrl({ url: "https://example.com/", addresses: [] })).toEqual({
    verdict: "block",
    why: "example.com has no address",
  });
});

test("verdicts say why", () => {
  const why = (url: string, addresses?: readonly string[], policy?: UrlPolicy) =>
    judgeUrl({ url, ...(addresses && { addresses }), ...(policy && { policy }) }).why;
  expect([
    why("https://example.com", ["8.8.8.8", "2606:4700::1"]),
    why("https://example.com", ["8.8.8.8", "10.0.0.1"]),
    why("http://0x7f.1"),
    why("http://localhost"),
    why("ftp://example.com"),
    why("http://localhost:3000", ["127.0.0.1"], { allowHosts: ["localhost:3000"] }),
    why("https://example.com", undefined, { onlyHosts: ["docs.example.com"] }),
  ]).toEqual([
    "every address of example.com is public",
    "example.com resolves to 10.0.0.1, which is reserved for a private network",
    "127.0.0.1 is reserved for loopback",
    "localhost is a name of this machine, of its network or its cloud",
    "only http and https are allowed, not ftp:",
    "the policy lists localhost",
    "the policy allows certain hosts only, and example.com is not among them",
  ]);
});

test("a policy opens private hosts by name or address, with or without a port, and nothing beside them", () => {
  const urls = ["http://localhost:3000/", "http://localhost/", "http://app.dev.corp/", "http://dev.corp/"];
  expect(named({ allowHosts: ["LOCALHOST:3000", "*.dev.corp"] }, urls, ["127.0.0.1", "::1"])).toEqual([
    "http://localhost:3000/",
    "http://app.dev.corp/",
  ]);
  const literals = ["http://127.0.0.1:80/", "http://127.0.0.1:81/", "http://0x7f.1/", "https://127.0.0.1/"];
  expect(named({ allowHosts: ["127.0.0.1:80"] }, literals, [])).toEqual(["http://127.0.0.1:80/", "http://0x7f.1/"]);
  const sixes = ["http://[::1]/", "http://[::1]:9/", "http://[::2]/"];
  expect(named({ allowHosts: ["::1"] }, sixes, [])).toEqual(["http://[::1]/", "http://[::1]:9/"]);
  expect(named({ allowHosts: ["[::1]:9"] }, sixes, [])).toEqual(["http://[::1]:9/"]);
  expect(named({ allowHosts: ["", "a b", "localhost/x", "*"] }, urls, ["127.0.0.1"])).toEqual([]);
});

test("a name that the policy opens still may not lead to link-local or metadata addresses; the address itself may", () => {
  const policy: UrlPolicy = { allowHosts: ["dev.corp", "169.254.1.1"] };
  expect(named(policy, ["http://dev.corp/"], ["169.254.169.254"])).toEqual([]);
  expect(named(policy, ["http://dev.corp/"], ["10.0.0.1", "fe80::1"])).toEqual([]);
  expect(named(policy, ["http://169.254.1.1/", "http://169.254.169.254/"], [])).toEqual(["http://169.254.1.1/"]);
  expect(named(policy, ["http://u:p@dev.corp/", "ftp://dev.corp/"], ["10.0.0.1"])).toEqual([]);
});

test("a policy of only certain hosts closes all others and opens nothing private", () => {
  const urls = ["https://example.com/", "https://example.com:444/", "https://a.example.com/", "http://localhost/"];
  const policy: UrlPolicy = { onlyHosts: ["example.com:443", "localhost"] };
  expect(named(policy, urls, ["8.8.8.8"])).toEqual(["https://example.com/"]);
  expect(named({ ...policy, allowHosts: ["localhost"] }, urls, ["127.0.0.1"])).toEqual(["http://localhost/"]);
  expect(named({ onlyHosts: [] }, urls, ["8.8.8.8"])).toEqual([]);
});

const dns = {
  "example.com": ["93.184.215.14"],
  "Other.example": ["93.184.215.15"],
  "inward.example": ["10.0.0.1"],
  "rebind.example": [["93.184.215.14"], ["127.0.0.1"]],
  "steady.example": [["93.184.215.14"], ["93.184.215.15"]],
};

test.each<[string, string, readonly string[], "allow" | "block"]>([
  ["no redirection", "https://example.com/", [], "allow"],
  ["relative redirections", "https://example.com/a", ["/b", "c?d", "#e"], "allow"],
  ["another public host", "https://example.com/", ["//other.example/x", "https://example.com/"], "allow"],
  ["an inward name", "https://example.com/", ["https://inward.example/"], "block"],
  ["an address in the middle", "https://example.com/", ["http://0x7f.1/", "https://example.com/"], "block"],
  ["metadata at the end", "https://example.com/", ["/a", "http://169.254.169.254/latest"], "block"],
  ["another scheme", "https://example.com/", ["file:///etc/passwd"], "block"],
  ["credentials", "https://example.com/", ["https://a:b@example.com/"], "block"],
  ["a backslash", "https://example.com/", ["/\\127.0.0.1/"], "block"],
  ["white space", "https://example.com/", ["/a\r\nb"], "block"],
  ["an unknown name", "https://nowhere.example/", [], "block"],
  ["five redirections", "https://example.com/", ["1", "2", "3", "4", "5"], "allow"],
  ["six redirections", "https://example.com/", ["1", "2", "3", "4", "5", "6"], "block"],
  ["a name that changes inwards", "https://rebind.example/", [], "block"],
  ["a name that changes publicly", "https://STEADY.example./", [], "allow"],
])("a journey with %s", async (_, url, redirects, expected) => {
  expect((await judgeUrlJourney({ url, redirects, lookUp: lookUpIn(dns) })).verdict).toBe(expected);
});

test("a look-up that fails leaves the verdict to the text, and addresses are never looked up", async () => {
  const asked: string[] = [];
  const lookUp = async (name: string) => {
    asked.push(name);
    return undefined;
  };
  const verdicts = await Promise.all(
    ["https://example.com/", "https://8.8.8.8/", "http://localhost/"].map((url) => judgeUrlJourney({ url, lookUp })),
  );
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["allow", "allow", "block"]);
  expect(asked).toEqual(["example.com"]);
});
