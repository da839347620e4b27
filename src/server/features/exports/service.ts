import { inTransaction } from "#server/db/open.ts";
import { openPartialFolder } from "#server/files/partial-files.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { ExportFormat, ExportName } from "#shared/exports/texts.ts";
import { throughFile } from "./through-file.ts";
import type { Export } from "./write.ts";

type Asked = { name: ExportName; format: ExportFormat; table: Export };

/**
 * Audits the export, and gives its bytes. All rows are of one moment, read by one transaction, which doesn't wait for whoever
 * downloads: the text goes through a file.
 */
export async function startExport(ctx: ActorContext, { name, format, table }: Asked): Promise<AsyncGenerator<Buffer>> {
  const action = name === "audit-logs" ? "export_audit_logs" : "export_table";
  const before = await inTransaction(ctx.db, (tx) =>
    recordAudit(tx, ctx, action, {
      ...(action === "export_table" && { table: name }),
      format,
      filters: table.filter,
    }),
  );
  const { newPath } = await openPartialFolder(ctx.env.dataDir);
  return throughFile(newPath(), async (write) => {
    let isBegun = false;
    await inTransaction(
      ctx.db,
      async (tx) => {
        if (isBegun) throw new Error("an export can't begin again: the reader has a part of it");
        for await (const part of table.write(tx, format, { ctx, before })) {
          isBegun = true;
          await write(part);
        }
      },
      { isolation: "repeatable read" },
    );
  });
}
