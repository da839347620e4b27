import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { saveFile } from "#client/lib/save-file.ts";
import { toast } from "#client/lib/toast.ts";
import { type ExportFormat, type ExportName, exportFormatsOf, exportPath, exportTexts } from "#shared/exports/texts.ts";
import classes from "./export-menu.module.css";

type ExportedTable = {
  name: ExportName;
  /** "Payments": what the menu and the message call it. */
  label: string;
  /** The filter; undefined fields don't narrow it. */
  filter?: Record<string, string | number | undefined>;
};

type ExportMenuProps = { tables: readonly ExportedTable[]; onSettled?: () => void };

/** Everything that the filters leave, as a file. With many rows it takes a while, and says how far it is. */
export function ExportMenu({ tables, onSettled }: ExportMenuProps) {
  const [received, setReceived] = useState(0);
  const save = useMutation({
    mutationFn: ({ name, filter, format }: ExportedTable & { format: ExportFormat }) => {
      setReceived(0);
      return saveFile(addressOf(name, format, filter), `${name}.${format}`, setReceived);
    },
    onSuccess: (_, { label, format }) => toast.success(exportTexts.done(label), exportTexts.saved(format)),
    onError: (error) => toast.error(exportTexts.failed, errorText(error)),
    onSettled: () => onSettled?.(),
  });
  return (
    <div className={classes.menu}>
      {save.isPending && (
        <span className={classes.progress} role="status">
          {received > 0 ? exportTexts.received(formatBytes(received)) : exportTexts.preparing}
        </span>
      )}
      <Menu position="bottom-end" width={250} withinPortal classNames={{ item: classes.item }}>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            loading={save.isPending}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Export">
          {tables.map((table, index) => (
            <Fragment key={table.label}>
              {index > 0 && <Menu.Divider />}
              {exportFormatsOf(table.name).map((format) => (
                <Menu.Item key={format} onClick={() => save.mutate({ ...table, format })}>
                  {table.label} as {format.toUpperCase()}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function addressOf(name: ExportName, format: ExportFormat, filter: ExportedTable["filter"] = {}): string {
  const set = Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  const query = new URLSearchParams(set).toString();
  return query ? `${exportPath(name, format)}?${query}` : exportPath(name, format);
}
