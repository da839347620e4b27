import { and, eq } from "drizzle-orm";
import type { Tx } from "#server/db/open.ts";
import { statements } from "#server/db/schema/bank.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { signLink } from "#server/files/signed-links.ts";
import { newFileKey } from "#server/files/storage.ts";
import { discardUpload, type ReadFile } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import type { ImportAnswer } from "#shared/bank/statement-import-texts.ts";
import { SIGNED_LINK_SECONDS } from "#shared/files.ts";

/** A statement's file as it was uploaded, kept privately: what the bank said, whatever an owner says of it. */

export type UploadedStatement = Omit<ReadFile, "content"> & {
  /** Where its bytes are stored. */
  key: string;
};

/** Stores a statement's bytes for its import, and lets go of them unless it is imported. */
export async function withStatementFile(
  ctx: ActorContext,
  { content, ...file }: ReadFile,
  importIt: (file: UploadedStatement) => Promise<ImportAnswer>,
): Promise<ImportAnswer> {
  const key = newFileKey("statement");
  await ctx.storage.write(key, Buffer.from(content.buffer, content.byteOffset, content.byteLength));
  try {
    const answer = await importIt({ ...file, key });
    if (answer.kind !== "imported") await discardUpload(ctx, key);
    return answer;
  } catch (error) {
    await discardUpload(ctx, key);
    throw error;
  }
}

/** Writes the row of a statement's stored file. */
export async function keepStatementFile(
  tx: Tx,
  ctx: ActorContext,
  { key, ...file }: UploadedStatement,
): Promise<string> {
  const kept = { ...file, kind: "statement" as const, storageKey: key, contentType: "application/octet-stream" };
  const [stored] = await tx
    .insert(storedFiles)
    .values({ ...kept, uploadedBy: ctx.actor.id, createdAt: ctx.clock.now() })
    .returning({ id: storedFiles.id });
  if (!stored) throw new Error("the statement's file was not written");
  return stored.id;
}

export const statementFilePath = (fileId: string) => `/files/statements/${fileId}`;

/** A link to a statement's file, valid in the caller's session only. */
export const linkToStatement = (ctx: ActorContext, fileId: string): string =>
  signLink({
    secret: ctx.appSecret,
    path: statementFilePath(fileId),
    subject: ctx.actor.session.idHash,
    expiresAt: new Date(ctx.clock.now().getTime() + SIGNED_LINK_SECONDS * 1000),
  });

/** The stored file of a statement. Throws "not_found". */
export async function findStatementFile({ db }: ActorContext, fileId: string) {
  const [file] = await db
    .select({
      key: storedFiles.storageKey,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(storedFiles)
    .innerJoin(statements, eq(statements.fileId, storedFiles.id))
    .where(and(eq(storedFiles.id, fileId), eq(storedFiles.kind, "statement")));
  if (!file) throw new AppError("not_found", bankImportTexts.fileGone);
  return file;
}
