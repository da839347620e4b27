import type { FastifyInstance } from "fastify";
import { importStatement } from "#server/features/bank/importing/import-statement.ts";
import { writeSampleStatement } from "#server/features/bank/importing/sample-statement.ts";
import { findStatementFile, statementFilePath } from "#server/features/bank/importing/statement-file.ts";
import { sendByLink } from "#server/files/send-file.ts";
import { parseUploadFields, receiveInMemory } from "#server/files/uploads.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { importStatementFields, sampleStatementQuery } from "#shared/bank/import-inputs.ts";
import { bankImportTexts, statementFieldBytes } from "#shared/bank/import-texts.ts";
import { importPath } from "#shared/bank/statement-import-texts.ts";
import { statementBytes, statementTexts } from "#shared/bank/statement-texts.ts";

const statementRule = {
  maxBytes: statementBytes,
  texts: { missing: bankImportTexts.fileMissing, size: statementTexts.tooLarge },
  fieldBytes: statementFieldBytes,
};

/** POST /bank/statements. */
export function registerStatementUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post(importPath, async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "bank:import");
    await limitRate(ctx, `bank-statements:${ctx.actor.id}`, { hits: 60, windowSeconds: 600 });
    const { fields, file } = await receiveInMemory(request, statementRule);
    const given = await parseUploadFields(ctx, importStatementFields, { fields, key: undefined });
    const answer = await importStatement(ctx, { ...given, file });
    return reply.header("cache-control", "no-store").send(answer);
  });
}

/** GET /files/statements/{id}. */
export function registerStatementFiles(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { fileId: string } }>("/files/statements/:fileId", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "bank:import");
    const { fileId: id } = request.params;
    return sendByLink(ctx, reply, {
      id,
      path: statementFilePath(id),
      find: () => findStatementFile(ctx, id),
      disposition: "attachment",
      texts: { gone: bankImportTexts.fileGone, expired: bankImportTexts.linkExpired },
    });
  });
}

/** GET /bank/sample-statement: a statement that fits the payments that wait, for trying the product in local use. */
export function registerSampleStatement(app: FastifyInstance, deps: Deps): void {
  if (!deps.env.isLocalUse) return;
  app.get("/bank/sample-statement", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply, "bank:import");
    const asked = sampleStatementQuery.safeParse(request.query);
    if (!asked.success) throw new AppError("not_found", bankImportTexts.accountNotFound);
    const csv = await writeSampleStatement(ctx, asked.data);
    return reply
      .header("cache-control", "no-store")
      .header("content-disposition", 'attachment; filename="sample-statement.csv"')
      .type("text/csv; charset=utf-8")
      .send(csv);
  });
}
