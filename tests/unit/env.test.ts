import { expect, test } from "vitest";
import { EnvError, readEnv } from "#server/platform/env.ts";

function linesOf(variables: Record<string, string>): string[] {
  try {
    readEnv(variables);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.lines;
    throw error;
  }
}

test("nothing set is local use with the demo, on port 3000", () => {
  expect(readEnv({})).toMatchObject({
    isLocalUse: true,
    demo: true,
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    requireEmailConfirmation: false,
  });
});

test("each bad variable gets one clear line", () => {
  const lines = linesOf({ PORT: "eighty", SMTP_URL: "mail.example", APP_SECRET: "short", DEMO: "maybe" });
  expect(lines).toHaveLength(4);
  for (const name of ["PORT", "SMTP_URL", "APP_SECRET", "DEMO"]) {
    expect(lines.filter((line) => line.startsWith(`${name}: `))).toHaveLength(1);
  }
});

test("production says in one line what it lacks", () => {
  expect(linesOf({ NODE_ENV: "production", PUBLIC_URL: "https://gona.example" })).toEqual([
    "production needs APP_SECRET, DATABASE_URL",
  ]);
});

test("demo accounts exist in local use only", () => {
  const reachable = [
    { HOST: "0.0.0.0" },
    { PUBLIC_URL: "https://gona.example" },
    { DATABASE_URL: "postgres://db/gona" },
    { DEMO: "0" },
  ];
  for (const variables of reachable) expect(readEnv(variables).demo).toBe(false);
});

test("addresses are confirmed where mail can be sent, unless said otherwise", () => {
  expect(readEnv({ SMTP_URL: "smtp://localhost:25" }).requireEmailConfirmation).toBe(true);
  expect(
    readEnv({ SMTP_URL: "smtp://localhost:25", REQUIRE_EMAIL_CONFIRMATION: "false" }).requireEmailConfirmation,
  ).toBe(false);
});

test("an empty variable counts as unset", () => {
  expect(readEnv({ DATABASE_URL: "", PORT: "" })).toMatchObject({ databaseUrl: undefined, port: 3000 });
});

test("Google is off unless it is set up as a whole, which one line says", () => {
  const [GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET] = ["an-id", "a-secret"];
  expect(readEnv({}).google).toBeNull();
  expect(readEnv({ GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "", GOOGLE_ISSUER: "" }).google).toBeNull();
  expect(readEnv({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }).google).toEqual({
    clientId: "an-id",
    clientSecret: "a-secret",
    issuer: undefined,
  });
  expect(linesOf({ GOOGLE_CLIENT_ID })).toEqual(["signing in with Google needs GOOGLE_CLIENT_SECRET"]);
  expect(linesOf({ GOOGLE_CLIENT_SECRET })).toEqual(["signing in with Google needs GOOGLE_CLIENT_ID"]);
  expect(linesOf({ GOOGLE_ISSUER: "https://id.example" })).toEqual([
    "signing in with Google needs GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET",
  ]);
});

test("an identity provider elsewhere is asked over https only", () => {
  const google = { GOOGLE_CLIENT_ID: "an-id", GOOGLE_CLIENT_SECRET: "a-secret" };
  for (const GOOGLE_ISSUER of ["https://id.example/realm", "http://127.0.0.1:4000", "http://localhost:4000"]) {
    expect(readEnv({ ...google, GOOGLE_ISSUER }).google?.issuer).toBe(GOOGLE_ISSUER);
  }
  for (const GOOGLE_ISSUER of ["http://id.example", "http://127.0.0.1.example", "id.example"]) {
    expect(linesOf({ ...google, GOOGLE_ISSUER })).toEqual([expect.stringMatching(/^GOOGLE_ISSUER: /)]);
  }
});

test("a port is one that links can name, and an IPv6 host may stand in brackets", () => {
  for (const port of ["0", "-1", "65536", "80.5", " "]) expect(linesOf({ PORT: port })).toHaveLength(1);
  expect(readEnv({ HOST: "[::1]" })).toMatchObject({ host: "::1", isLocalUse: true });
});

test("proxies are trusted by address, network or number", () => {
  expect(readEnv({}).trustProxy).toBe(false);
  expect(readEnv({ TRUST_PROXY: "false" }).trustProxy).toBe(false);
  expect(readEnv({ TRUST_PROXY: "10.0.0.0/8, ::1" }).trustProxy).toEqual(["10.0.0.0/8", "::1"]);
  expect(readEnv({ TRUST_PROXY: "172.30.99.10" }).trustProxy).toEqual(["172.30.99.10"]);
  expect(readEnv({ TRUST_PROXY: "2" }).trustProxy).toBe(2);
});

test.each(["true", "0.0.0.0/0", "::/0", "10.0.0.5,0.0.0.0/0"])(
  "TRUST_PROXY=%s would trust everybody: one line says what to write instead",
  (value) => {
    expect(linesOf({ TRUST_PROXY: value })).toEqual([
      `TRUST_PROXY: ${value} would let anyone choose their address: write the addresses or networks of your proxies, separated by commas (10.0.0.5,10.1.0.0/16), or how many of them a request passes (1)`,
    ]);
  },
);

test.each(["0", "-1", "1.5", "100", "yes", "proxy.example", "10.0.0.0/33", "10.0.0/8", "10.0.0.1,", "10.0.0.0/8/8"])(
  "TRUST_PROXY=%s is neither addresses nor a number",
  (value) => {
    expect(linesOf({ TRUST_PROXY: value })).toEqual([expect.stringMatching(/^TRUST_PROXY: must be the addresses or/)]);
  },
);

test("files are kept in S3 where it is set up as a whole, which one line says", () => {
  const s3 = {
    S3_ENDPOINT: "https://s3.example",
    S3_BUCKET: "gona",
    S3_REGION: "eu-west-1",
    S3_ACCESS_KEY_ID: "an-id",
    S3_SECRET_ACCESS_KEY: "a-secret",
  };
  expect(readEnv({}).s3).toBeNull();
  expect(readEnv({ S3_ENDPOINT: "", S3_BUCKET: "" }).s3).toBeNull();
  expect(readEnv(s3).s3).toEqual({
    endpoint: "https://s3.example",
    bucket: "gona",
    region: "eu-west-1",
    accessKeyId: "an-id",
    secretAccessKey: "a-secret",
  });
  expect(linesOf({ ...s3, S3_REGION: "", S3_SECRET_ACCESS_KEY: "" })).toEqual([
    "keeping files in S3 needs S3_REGION, S3_SECRET_ACCESS_KEY",
  ]);
  expect(linesOf({ S3_BUCKET: "gona" })).toEqual([
    "keeping files in S3 needs S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY",
  ]);
  expect(linesOf({ ...s3, S3_ENDPOINT: "s3.example" })).toEqual([expect.stringMatching(/^S3_ENDPOINT: /)]);
});
