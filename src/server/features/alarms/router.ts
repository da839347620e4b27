import { adminProcedure, router } from "#server/platform/procedures.ts";
import { listOpenAlarms } from "./queries.ts";

export const alarmsRouter = router({
  /** Shown to owners on the dashboard. */
  list: adminProcedure("settings:manage").query(({ ctx }) => listOpenAlarms(ctx)),
  /** The same. Whether mails leave the server. */
  mail: adminProcedure("settings:manage").query(({ ctx }) => ({ isKept: ctx.env.isMailKept })),
});
