import crypto from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { type Env, readEnv } from "#server/platform/env.ts";
import { freePort } from "./free-port.ts";

export interface S3Server {
  /** The variables that a server of ours needs to keep its files here. */
  env: Record<"S3_ENDPOINT" | "S3_BUCKET" | "S3_REGION" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY", string>;
  /** The same as {@link readEnv} reads it. */
  settings: NonNullable<Env["s3"]>;
  /** Nobody answers, until it is started again with the same files on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Where a stored file's bytes are, to be looked at or changed behind its back. */
  pathOf(key: string): string;
  /** Deletes the files too. */
  remove(): Promise<void>;
}

const bucket = "gona-files";

/** s3rver pages its lists by tokens of simple DES, which OpenSSL no longer has: threefold with one key it is the same. */
function bringBackDes(): void {
  const { createCipheriv, createDecipheriv } = crypto;
  type Make = (algorithm: string, key: Buffer, iv: Buffer) => unknown;
  const withDes =
    (make: Make): Make =>
    (algorithm, key, iv) =>
      algorithm === "des" ? make("des-ede3-cbc", Buffer.concat([key, key, key]), iv) : make(algorithm, key, iv);
  Object.assign(crypto, {
    createCipheriv: withDes(createCipheriv as Make),
    createDecipheriv: withDes(createDecipheriv as Make),
  });
}
bringBackDes();

/** A small S3 server with one bucket, in the test's own process. It doesn't compare signatures. */
export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), "gona-s3-"));
  const port = await freePort();
  const open = async () => {
    const server = new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      directory,
      configureBuckets: [{ name: bucket }],
    });
    await server.run();
    return server;
  };
  let server: S3rver | undefined = await open();
  const stop = async () => {
    const closed = server?.close();
    server?.httpServer.closeAllConnections();
    server = undefined;
    await closed;
  };
  const env = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: bucket,
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
  };
  const settings = readEnv(env).s3;
  if (!settings) throw new Error("the S3 server is not configured");
  return {
    env,
    settings,
    stop,
    async start() {
      server ??= await open();
    },
    pathOf: (key) => join(directory, bucket, `${key}._S3rver_object`),
    async remove() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
