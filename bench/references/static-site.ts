import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify from "fastify";
import type { StaticFile } from "../lib/static-twin.ts";

/** Sends the files of the folder SITE from memory, as its list says, and knows nothing else. */
const folder = String(process.env.SITE);
const files = JSON.parse(await readFile(join(folder, "files.json"), "utf8")) as StaticFile[];
const app = Fastify();
for (const { path, name, headers } of files) {
  const content = await readFile(join(folder, name));
  app.get(path, async (_request, reply) => reply.headers(headers).send(content));
}
await app.listen({ host: process.env.HOST ?? "127.0.0.1", port: Number(process.env.PORT) });
console.log("listening");
process.on("SIGTERM", () => process.exit());
