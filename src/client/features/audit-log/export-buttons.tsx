import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { type AuditExportFormat, auditExportFormats, auditExportPath, auditTexts } from "#shared/audit-texts.ts";
import classes from "./audit-log.module.css";
import { type AuditSearch, filterOf } from "./audit-search.ts";

/** Everything that the filters leave, as a file: with many entries it takes a while, and says how far it is. */
export function ExportButtons({ search }: { search: AuditSearch }) {
  const utils = trpc.useUtils();
  const [received, setReceived] = useState(0);
  const save = useMutation({
    mutationFn: (format: AuditExportFormat) => {
      setReceived(0);
      const query = new URLSearchParams(filterOf(search)).toString();
      const path = auditExportPath(format);
      return saveFile(query ? `${path}?${query}` : path, `audit-logs.${format}`, setReceived);
    },
    onSuccess: (_, format) => toast.success("Audit logs exported", `The ${format.toUpperCase()} file was downloaded.`),
    onError: (error) => toast.error(auditTexts.exportFailed, errorText(error)),
    // It is an entry itself.
    onSettled: () => utils.auditLog.invalidate(),
  });
  return (
    <div className={classes.buttons}>
      {auditExportFormats.map((format) => (
        <Button
          key={format}
          variant="default"
          size="sm"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          loading={save.isPending && save.variables === format}
          disabled={save.isPending}
          onClick={() => save.mutate(format)}
        >
          Export {format.toUpperCase()}
        </Button>
      ))}
      {save.isPending && received > 0 && (
        <span className={classes.dimmed} role="status">
          {formatBytes(received)} received
        </span>
      )}
    </div>
  );
}
