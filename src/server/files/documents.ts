import { storedFiles } from "#server/db/schema/files.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { discardUpload, type ReceivedFile } from "./uploads.ts";

/** Keeps the row of a document that was uploaded as evidence, whose bytes are removed if that fails. Returns its id. */
export async function keepDocument(ctx: ActorContext, { key, ...file }: ReceivedFile): Promise<string> {
  try {
    const [stored] = await ctx.db
      .insert(storedFiles)
      .values({ ...file, kind: "evidence", storageKey: key, uploadedBy: ctx.actor.id, createdAt: ctx.clock.now() })
      .returning({ id: storedFiles.id });
    if (!stored) throw new Error("the evidence's file was not written");
    return stored.id;
  } catch (error) {
    await discardUpload(ctx, key);
    throw error;
  }
}
