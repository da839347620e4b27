import { createHash } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { inTransaction } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { papers } from "#server/db/schema/papers.ts";
import { renderApart } from "#server/features/papers/pdf/rendering-processes.ts";
import { readMark } from "#server/files/marks.ts";
import { newFileKey } from "#server/files/storage.ts";
import { discardUpload } from "#server/files/uploads.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { readProfile } from "#server/platform/site.ts";
import { paperNumber, paperTexts, verifyPath } from "#shared/papers/texts.ts";
import { mayRead } from "./queries.ts";

/** The PDF of a paper: made when somebody first asks for it, and the same bytes ever after. */

type Paper = typeof papers.$inferSelect;

/** The stored PDF of a paper that the caller may read, under its number as the name. Throws "not_found". */
export async function findPaperFile(ctx: ActorContext, paperId: number) {
  const isIt = and(eq(papers.id, paperId), mayRead(ctx));
  const [paper] = await ctx.db.select().from(papers).where(isIt);
  if (!paper) throw new AppError("not_found", paperTexts.gone);
  const fileId = paper.fileId ?? (await makeFile(ctx, paper));
  const [file] = await ctx.db
    .select({
      key: storedFiles.storageKey,
      contentType: storedFiles.contentType,
      originalName: storedFiles.originalName,
    })
    .from(storedFiles)
    .where(eq(storedFiles.id, fileId));
  if (!file) throw new Error(`the file of paper ${paperId} has no row`);
  return file;
}

/** Makes and keeps the PDF. Of two that are made at once one is kept, and both have the same bytes. */
async function makeFile(ctx: ActorContext, paper: Paper): Promise<string> {
  const { id, kind, code, content, createdAt, headN, headHash } = paper;
  const site = await readProfile(ctx.db, { at: createdAt });
  const number = paperNumber(ctx.site.current(), paper);
  const verifyUrl = `${ctx.env.publicUrl}${verifyPath(code)}`;
  const png = await readMark(ctx, site, 512);
  const mark = png && `data:image/png;base64,${png.toString("base64")}`;
  const head = headN === null || headHash === null ? null : { n: headN, hash: headHash };
  const bytes = await renderApart({ kind, number, code, issuedAt: createdAt, content, head, verifyUrl, site, mark });
  const storageKey = newFileKey("paper");
  await ctx.storage.write(storageKey, bytes);
  const kept = await inTransaction(ctx.db, async (tx) => {
    const [locked] = await tx
      .select({ fileId: papers.fileId })
      .from(papers)
      .where(eq(papers.id, id))
      .for("no key update");
    if (locked?.fileId) return { fileId: locked.fileId, isOurs: false };
    const [file] = await tx
      .insert(storedFiles)
      .values({
        kind: "paper",
        storageKey,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        bytes: bytes.length,
        contentType: "application/pdf",
        originalName: `${number}.pdf`,
        uploadedBy: null,
        createdAt: ctx.clock.now(),
      })
      .returning({ id: storedFiles.id });
    if (!file) throw new Error("the paper's file was not written");
    await tx
      .update(papers)
      .set({ fileId: file.id })
      .where(and(eq(papers.id, id), isNull(papers.fileId)));
    return { fileId: file.id, isOurs: true };
  });
  if (!kept.isOurs) await discardUpload(ctx, storageKey);
  return kept.fileId;
}
