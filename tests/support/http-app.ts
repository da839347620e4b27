import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { registerErrorHandler } from "#server/http/errors.ts";
import { registerSecurity } from "#server/http/security.ts";
import { type Env, readEnv } from "#server/platform/env.ts";
import { createLogger, registerRequestLog, requestLogOptions } from "#server/platform/logger.ts";

/** A folder of the running test's own, gone when it ends. */
export async function tempFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "gona-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Files with their folders; gives the folder that they are in. */
export async function writeFiles(folder: string, files: Record<string, string | Uint8Array>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export const testOrigin = "https://gona.example";

export function testEnv(variables: Record<string, string> = {}): Env {
  return readEnv({ PUBLIC_URL: testOrigin, ...variables });
}

/** The HTTP layer without the product: security, errors, log; a test adds its routes. Closed when the test ends. */
export function httpApp(env: Env = testEnv(), logLines: string[] = []): FastifyInstance {
  const log = createLogger({ level: "debug", destination: { write: (line) => logLines.push(line) } });
  const app = Fastify({ loggerInstance: log, forceCloseConnections: true, ...requestLogOptions });
  registerErrorHandler(app);
  registerRequestLog(app);
  registerSecurity(app, env);
  onTestFinished(() => app.close());
  return app;
}

/** Opens a port of the machine's choice; gives the address. */
export async function listening(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: "127.0.0.1" });
}
