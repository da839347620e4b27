import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./row-menu.module.css";

export type RowAction = { label: string; icon: ReactNode; onChoose: () => void; isDangerous?: boolean };

/** The actions on a table's row, behind one button. `subject` names the row for those who don't see it. */
export function RowMenu({ subject, actions, isBusy }: { subject: string; actions: RowAction[]; isBusy: boolean }) {
  const label = `Actions for ${subject}`;
  return (
    <Menu position="bottom-end" width={220} withinPortal classNames={{ item: classes.item }}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          loading={isBusy}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          aria-label={label}
        >
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            leftSection={action.icon}
            data-danger={action.isDangerous || undefined}
            onClick={action.onChoose}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
