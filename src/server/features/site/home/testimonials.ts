import { asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type DbOrTx, inTransaction, type Tx } from "#server/db/open.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { testimonials } from "#server/db/schema/site.ts";
import { users } from "#server/db/schema/users.ts";
import { findPhotoFile, photoPathOfKey } from "#server/files/photo-files.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import type { hideTestimonialInput, testimonialForm } from "#shared/site/home-inputs.ts";
import { shownTestimonials, homeTexts as texts } from "#shared/site/home-texts.ts";

/**
 * Backers' quotes on the home page, as owners entered them. They are never edited: an owner hides one and enters
 * another.
 */

/** Lists the testimonials on the home page, oldest first, with the addresses of their photos. */
export async function listShownTestimonials(db: DbOrTx) {
  const found = await db
    .select({
      id: testimonials.id,
      name: testimonials.name,
      backed: testimonials.backed,
      words: testimonials.words,
      storageKey: storedFiles.storageKey,
    })
    .from(testimonials)
    .leftJoin(storedFiles, eq(storedFiles.id, testimonials.photoFileId))
    .where(isNull(testimonials.hiddenAt))
    .orderBy(asc(testimonials.id));
  return found.map(withPhoto);
}

/** Lists all testimonials for owners, newest first, with how the person agreed. */
export async function listTestimonials(db: DbOrTx) {
  const found = await db
    .select({
      id: testimonials.id,
      name: testimonials.name,
      backed: testimonials.backed,
      words: testimonials.words,
      agreement: testimonials.agreement,
      hiddenAt: testimonials.hiddenAt,
      createdAt: testimonials.createdAt,
      writtenBy: users.fullName,
      storageKey: storedFiles.storageKey,
    })
    .from(testimonials)
    .innerJoin(users, eq(users.id, testimonials.writtenBy))
    .leftJoin(storedFiles, eq(storedFiles.id, testimonials.photoFileId))
    .orderBy(desc(testimonials.id))
    .limit(listLimit);
  return found.map(withPhoto);
}

const listLimit = 500;

const withPhoto = <Row extends { storageKey: string | null }>({ storageKey, ...row }: Row) => ({
  ...row,
  photo: storageKey === null ? null : photoPathOfKey(storageKey),
});

/**
 * Puts a testimonial onto the home page. Throws "invalid" if its photo isn't stored, and "conflict" if too many stand
 * there.
 */
export async function addTestimonial(
  ctx: ActorContext,
  { photo, ...written }: z.output<typeof testimonialForm>,
): Promise<{ testimonialId: number }> {
  return inTransaction(ctx.db, async (tx) => {
    await requireRoom(tx);
    const photoFileId = photo === null ? null : await findPhotoFile(tx, photo);
    if (photoFileId === undefined) throw fieldRefusal("photo", texts.photoGone);
    const [added] = await tx
      .insert(testimonials)
      .values({ ...written, photoFileId, writtenBy: ctx.actor.id, createdAt: ctx.clock.now() })
      .returning({ id: testimonials.id });
    if (!added) throw new Error("the testimonial was not written");
    // Its id in place of the name, because an entry can never be erased.
    await recordAudit(tx, ctx, "add_testimonial", { testimonialId: added.id });
    return { testimonialId: added.id };
  });
}

/** Takes a testimonial off the home page, or puts it back. Throws "not_found", and "conflict" if too many stand there. */
export async function hideTestimonial(
  ctx: ActorContext,
  { testimonialId, isHidden }: z.output<typeof hideTestimonialInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!isHidden) await requireRoom(tx);
    const isIt = eq(testimonials.id, testimonialId);
    const [before] = await tx
      .select({ hiddenAt: testimonials.hiddenAt })
      .from(testimonials)
      .where(isIt)
      .for("no key update");
    if (!before) throw new AppError("not_found", texts.gone);
    if ((before.hiddenAt !== null) === isHidden) return;
    await tx
      .update(testimonials)
      .set({ hiddenAt: isHidden ? ctx.clock.now() : null })
      .where(isIt);
    await recordAudit(tx, ctx, isHidden ? "hide_testimonial" : "show_testimonial", { testimonialId });
  });
}

/** One at a time, so that two at once don't both take the last place. */
async function requireRoom(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('testimonials'))`);
  const shown = await tx.$count(testimonials, isNull(testimonials.hiddenAt));
  if (shown >= shownTestimonials) throw new AppError("conflict", texts.full);
}
