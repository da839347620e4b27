import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyMultipart from "@fastify/multipart";
import Fastify, { type FastifyReply } from "fastify";
import type { OpenReport } from "#server/http/pages/report-html.ts";
import { registerReportPages } from "#server/http/pages/report-page.ts";
import { AppError } from "#server/platform/errors.ts";
import { reportTexts } from "#shared/reports/texts.ts";
import { gona, siteOf } from "./site.ts";

/** A report that can be sent, as its page shows it. */
export const awaited: NonNullable<OpenReport["report"]> = {
  number: 12,
  dueAt: new Date("2026-11-27T17:00:00Z"),
  opensAt: new Date("2026-11-24T17:00:00Z"),
  isOpen: true,
  code: "7K3P",
  asks: 2,
  sentBackNote: null,
  content: "",
  figures: [
    { key: "alive", label: "Birds alive", unit: "", kind: "stock", isRequired: true, last: "490" },
    { key: "died", label: "Died", unit: "", kind: "count", isRequired: true, last: "3" },
    { key: "feed", label: "Feed used", unit: "kg", kind: "mass", isRequired: false, last: "1,382.5" },
  ],
};

/** The one that comes after it. */
export const coming = {
  ...awaited,
  number: 13,
  dueAt: new Date("2026-12-04T17:00:00Z"),
  opensAt: new Date("2026-12-01T17:00:00Z"),
  isOpen: false,
};

export const openReport: OpenReport = {
  projectId: 7,
  projectTitle: "500 layers in Ilorin",
  farmName: "Oke-Oyi Poultry",
  lastSent: null,
  report: awaited,
};

/** Ends the connection within the answer: a browser repeats by itself what got no answer at all. */
function breakOff(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  reply.raw.write("{", () => reply.raw.destroy());
}

type SentReport = {
  by: { token: string };
  idempotencyKey: string;
  figures: Record<string, string>;
  photoKeys: string[];
};

/**
 * The built page on a server that keeps its one report in memory: for what a phone does when answers are lost, which
 * the product's own server doesn't lose when told to. A link's token is its sender's name.
 */
export async function startReportServer(distDir = "dist") {
  const app = Fastify({ forceCloseConnections: true });
  const sent: SentReport[] = [];
  const photos = new Map<string, number>();
  const calls = { send: 0, photos: 0 };
  /** The calls whose next answer is lost on the way, after the server has done its work. */
  const losing = new Set<keyof typeof calls>();
  let questions: string[] = [];
  const now = new Date("2026-11-27T10:00:00Z");

  await registerReportPages(
    app,
    { clock: { now: () => now }, site: siteOf(gona) },
    {
      distDir,
      openReport: async (by) => {
        if (!("token" in by)) throw new AppError("unauthenticated", "Authentication required");
        const [first] = sent;
        if (!first) return openReport;
        return { ...openReport, lastSent: { number: 12, sentAt: now, by: first.by.token }, report: coming };
      },
    },
  );
  app.get<{ Params: { "*": string } }>("/*", async (request, reply) => {
    const file = await readFile(join(distDir, request.params["*"])).catch(() => null);
    if (!file) return reply.code(404).send();
    const types: Record<string, string> = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
    return reply.type(types[request.params["*"].split(".").at(-1) ?? ""] ?? "application/octet-stream").send(file);
  });
  await app.register(fastifyMultipart);
  app.post("/uploads/report-photos", async (request, reply) => {
    calls.photos += 1;
    const fields: Record<string, unknown> = {};
    let bytes = 0;
    for await (const part of request.parts()) {
      if (part.type === "field") fields[part.fieldname] = part.value;
      else bytes = (await part.toBuffer()).length;
    }
    photos.set(String(fields.photoKey), bytes);
    if (losing.delete("photos")) return breakOff(reply);
    return reply.send({ photoKey: fields.photoKey });
  });
  app.post<{ Body: { json: SentReport & { isConfirmed: boolean } } }>("/trpc/reports.send", async (request, reply) => {
    calls.send += 1;
    const report = request.body.json;
    if (questions.length > 0 && !report.isConfirmed) return { result: { data: { json: { questions } } } };
    const [first] = sent;
    if (first && first.idempotencyKey !== report.idempotencyKey) {
      const message = reportTexts.sentAlready(first.by.token, now);
      return reply.code(409).send({ error: { json: { message, data: { reason: "conflict" } } } });
    }
    if (!first) sent.push(report);
    if (losing.delete("send")) return breakOff(reply);
    return { result: { data: { json: { number: 12, sentAt: now.toISOString() } } } };
  });

  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    url,
    /** Reports and photos that it keeps, and how often it was asked. */
    sent,
    photos,
    calls,
    losing,
    ask: (those: string[]) => {
      questions = those;
    },
    stop: () => app.close(),
  };
}
