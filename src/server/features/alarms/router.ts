import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listOpenAlarms } from "./queries.ts";

export const alarmsRouter = router({
  /** Shown to owners on the dashboard. */
  list: adminProcedure("settings:manage").query(({ ctx }) => listOpenAlarms(ctx)),
  /** `isKept`: mails stay on the server. Shown to owners on the dashboard too. */
  mail: adminProcedure("settings:manage").query(({ ctx }) => ({ isKept: ctx.env.isMailKept })),
});
