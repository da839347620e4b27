import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readEnv } from "#server/platform/env.ts";

/** The checks of compose.yaml that work without Docker, which tests don't have. */
const root = join(import.meta.dirname, "../..");

type Service = {
  image: string;
  build?: string;
  command?: string | string[];
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, unknown>;
  volumes?: string[];
  networks?: { default: { ipv4_address: string } };
};
type Compose = {
  services: Record<string, Service>;
  configs: { caddyfile: { content: string } };
  networks: { default: { ipam: { config: { subnet: string }[] } } };
  volumes: Record<string, null>;
};

const text = readFileSync(join(root, "compose.yaml"), "utf8");
const compose = parse(text, { merge: true }) as Compose;
const given: Record<string, string> = {
  APP_SECRET: "a secret of the tests, long enough for a key",
  POSTGRES_PASSWORD: "a-password",
  S3_SECRET_ACCESS_KEY: "another-secret",
};

/** As Docker does: ${NAME:-default} and ${NAME:?message}. */
function fillIn(value: string): string {
  return value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, name: string, mark: string, rest: string) => {
    const found = given[name] ?? (mark === "-" ? rest : undefined);
    if (found === undefined) throw new Error(`${name} is asked for, but not in the list`);
    return found;
  });
}

const environmentOf = (service: Service | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(service?.environment ?? {}).map(([name, value]) => [name, fillIn(value)]));

const servers = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
const hosts = Object.keys(compose.services);

test("there are two servers, alike, and their variables are those that a server reads", () => {
  expect(servers.map(([name]) => name)).toEqual(["server-1", "server-2"]);
  expect(servers[0]?.[1]).toEqual(servers[1]?.[1]);
  const source = readFileSync(join(root, "src/server/platform/env.ts"), "utf8");
  const known = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name);
  expect(known).toContain("DATABASE_URL");
  for (const name of Object.keys(environmentOf(servers[0]?.[1]))) expect(known).toContain(name);
});

test("a server with them is a production one whose database, files and mails are services beside it", () => {
  const env = readEnv(environmentOf(servers[0]?.[1]));
  expect(env).toMatchObject({ isProduction: true, isLocalUse: false, demo: false, publicUrl: "http://localhost:8080" });
  for (const address of [env.databaseUrl, env.s3?.endpoint, env.smtpUrl]) {
    expect(hosts).toContain(new URL(address ?? "").hostname);
  }
  const postgres = environmentOf(compose.services.postgres);
  const { username, password, pathname } = new URL(env.databaseUrl ?? "");
  expect([username, password, pathname]).toEqual([
    postgres.POSTGRES_USER,
    postgres.POSTGRES_PASSWORD,
    `/${postgres.POSTGRES_DB}`,
  ]);
  const s3 = environmentOf(compose.services.s3);
  expect([env.s3?.accessKeyId, env.s3?.secretAccessKey]).toEqual([s3.MINIO_ROOT_USER, s3.MINIO_ROOT_PASSWORD]);
  expect(String(compose.services.bucket?.command)).toContain(`s3/${env.s3?.bucket}`);
});

test("the servers trust the proxy and nobody else, and it knows both and passes live events at once", () => {
  const address = compose.services.proxy?.networks?.default.ipv4_address ?? "";
  expect(readEnv(environmentOf(servers[0]?.[1])).trustProxy).toEqual([address]);
  const [subnet] = compose.networks.default.ipam.config;
  expect(address.split(".").slice(0, 3)).toEqual(subnet?.subnet.split(".").slice(0, 3));
  const { content } = compose.configs.caddyfile;
  const port = /PORT=(\d+)/.exec(readFileSync(join(root, "Dockerfile"), "utf8"))?.[1];
  expect(content).toContain(`reverse_proxy ${servers.map(([name]) => `${name}:${port}`).join(" ")} {`);
  expect(content).toContain("health_uri /readyz");
  expect(content).toContain("flush_interval -1");
});

test("every service and volume that is named is there, and every secret has to be given", () => {
  for (const { depends_on = [], volumes = [] } of Object.values(compose.services)) {
    for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) expect(hosts).toContain(name);
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
  }
  const asked = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
  expect([...asked].sort()).toEqual(Object.keys(given).sort());
  const operations = readFileSync(join(root, "docs/operations.md"), "utf8");
  for (const name of asked) expect(operations).toContain(`${name}=$(openssl rand -hex`);
});

test("the image starts the server as npm start does", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  const command = /^CMD (\[.*\])$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8"))?.[1] ?? "[]";
  expect(scripts.start.endsWith(` exec ${(JSON.parse(command) as string[]).join(" ")}`)).toBe(true);
});
