import { and, eq, gte, isNull } from "drizzle-orm";
import type { z } from "zod";
import { requireSession } from "#server/accounts/sessions.ts";
import { isUniqueViolation } from "#server/db/errors.ts";
import { inTransaction } from "#server/db/open.ts";
import { holidays } from "#server/db/schema/holidays.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { dayInLagos } from "#shared/dates.ts";
import type { addHolidayInput, holidayIdInput } from "#shared/holidays/inputs.ts";
import { holidayTexts as texts } from "#shared/holidays/texts.ts";

/** Adds a day on which nobody works, today at the earliest. Throws "invalid", or "conflict" if it is one already. */
export async function addHoliday(ctx: ActorContext, { day, name }: z.output<typeof addHolidayInput>): Promise<void> {
  const now = ctx.clock.now();
  const today = dayInLagos(now);
  if (day < today) throw new AppError("invalid", texts.over);
  if (Number(day.slice(0, 4)) > Number(today.slice(0, 4)) + 2) throw new AppError("invalid", texts.tooFar);
  try {
    await inTransaction(ctx.db, async (tx) => {
      await requireSession(tx, ctx.actor);
      await tx.insert(holidays).values({ day, name, addedBy: ctx.actor.id, createdAt: now });
      await recordAudit(tx, ctx, "add_holiday", { day, name });
    });
  } catch (error) {
    if (isUniqueViolation(error, "holidays_day_key")) throw new AppError("conflict", texts.taken, { cause: error });
    throw error;
  }
}

/** Removes a day that isn't over: it is worked on. Throws "not_found". */
export async function removeHoliday(ctx: ActorContext, { holidayId }: z.output<typeof holidayIdInput>): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    await requireSession(tx, ctx.actor);
    const isIt = and(eq(holidays.id, holidayId), isNull(holidays.removedAt), gte(holidays.day, dayInLagos(now)));
    const [removed] = await tx
      .update(holidays)
      .set({ removedAt: now, removedBy: ctx.actor.id })
      .where(isIt)
      .returning({ day: holidays.day, name: holidays.name });
    if (!removed) throw new AppError("not_found", texts.gone);
    await recordAudit(tx, ctx, "remove_holiday", removed);
  });
}
