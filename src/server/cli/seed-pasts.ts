import { eq } from "drizzle-orm";
import { farmPast } from "#server/db/schema/farm-past.ts";
import { confirmPast, enterPast } from "#server/features/farm-past/service.ts";
import { enterPastInput } from "#shared/farm-past/inputs.ts";
import type { DemoSeason } from "./demo-data.ts";
import { uploadPaper } from "./seed-harvests.ts";
import type { Office, Step } from "./seed-office.ts";

/** Plans the pasts that the demo's farms tell of: a keeper enters each, and an owner confirms it or hasn't yet. */
export const planPasts = (office: Office, { pasts }: DemoSeason): Step[] =>
  pasts.flatMap(({ farm, enteredDaysAgo, confirmedDaysAgo, paper, ...told }): Step[] => {
    const at = office.ago(enteredDaysAgo);
    const enter = async () => {
      const { farmId } = office.farmOf(farm);
      const ctx = office.asPerson(office.personOf(farm), at);
      const fileIds = [await uploadPaper(office, ctx, paper)];
      await enterPast(ctx, enterPastInput.parse({ ...told, farmId, fileIds }));
    };
    if (confirmedDaysAgo === undefined) return [{ at, run: enter }];
    const confirmedAt = office.ago(confirmedDaysAgo);
    const confirm = async () => {
      const { farmId } = office.farmOf(farm);
      const waiting = await office.tx.select({ id: farmPast.id }).from(farmPast).where(eq(farmPast.farmId, farmId));
      await confirmPast(office.as("second", confirmedAt), { pastId: waiting.at(-1)?.id ?? 0 });
    };
    return [
      { at, run: enter },
      { at: confirmedAt, run: confirm },
    ];
  });
