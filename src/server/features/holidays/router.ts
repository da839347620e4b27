import { adminProcedure, router } from "#server/platform/procedures.ts";
import { addHolidayInput, holidayIdInput } from "#shared/holidays/inputs.ts";
import { listHolidays } from "./queries.ts";
import { addHoliday, removeHoliday } from "./service.ts";

export const holidaysRouter = router({
  list: adminProcedure("settings:manage").query(({ ctx }) => listHolidays(ctx)),
  add: adminProcedure("settings:manage")
    .input(addHolidayInput)
    .mutation(({ ctx, input }) => addHoliday(ctx, input)),
  remove: adminProcedure("settings:manage")
    .input(holidayIdInput)
    .mutation(({ ctx, input }) => removeHoliday(ctx, input)),
});
