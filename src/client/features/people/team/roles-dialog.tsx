import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { roleLabels, roleSummaries, adminTexts as texts } from "#shared/people/texts.ts";
import { type Role, roles } from "#shared/permissions.ts";
import { GrantsList } from "./grants-list.tsx";
import classes from "./team.module.css";
import type { Admin } from "./team-question.tsx";

/** The roles of one administrator: each can be taken away, and another given. */
export default function RolesDialog({ admin, onClose }: { admin: Admin | null; onClose: () => void }) {
  return (
    <Modal
      opened={admin !== null}
      onClose={onClose}
      title={admin ? `Roles of ${admin.fullName}` : ""}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {admin && <Roles key={admin.id} admin={admin} />}
    </Modal>
  );
}

function Roles({ admin }: { admin: Admin }) {
  const utils = trpc.useUtils();
  const [chosen, setChosen] = useState<Role | "">("");
  const [leaving, setLeaving] = useState<Role | null>(null);
  const how = (done: string, failed: string) => ({
    onSuccess: ({ wasChanged }: { wasChanged: boolean }) => {
      setChosen("");
      setLeaving(null);
      if (wasChanged) toast.success(done);
    },
    onError: (error: unknown) => toast.error(failed, errorReason(error) === "internal" ? undefined : errorText(error)),
    onSettled: () => {
      void utils.auth.viewer.invalidate();
      return utils.admins.invalidate();
    },
  });
  const add = trpc.admins.addRole.useMutation(how(texts.roleAdded, texts.addRoleFailed));
  const remove = trpc.admins.removeRole.useMutation(how(texts.roleRemoved, texts.removeRoleFailed));
  const isPending = add.isPending || remove.isPending;
  const who = admin.isSelf ? "You" : admin.fullName;
  return (
    <div className={classes.form}>
      <Notice
        tone="neutral"
        title={admin.isSelf ? "A change signs you out everywhere." : "A change signs this person out everywhere."}
      />
      {admin.roles.length === 0 ? (
        <p>No role. Without one, an administrator may only look at projects.</p>
      ) : (
        <ul className={classes.roles}>
          {admin.roles.map((role) => (
            <li key={role}>
              <div>
                <div className={classes.name}>{roleLabels[role]}</div>
                <div className={classes.dimmed}>{roleSummaries[role]}</div>
              </div>
              <Button
                variant="default"
                size="sm"
                disabled={isPending || leaving === role}
                aria-label={`Remove role ${roleLabels[role]}`}
                onClick={() => setLeaving(role)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {leaving && (
        <Notice tone="caution" title={`Remove the role ${roleLabels[leaving]}?`} isAlert>
          <p>
            {who} will no longer have it:{" "}
            {roleSummaries[leaving].charAt(0).toLowerCase() + roleSummaries[leaving].slice(1)}
          </p>
          <div className={classes.buttons}>
            <Button variant="default" size="sm" disabled={isPending} onClick={() => setLeaving(null)}>
              Keep
            </Button>
            <Button
              color="red"
              size="sm"
              loading={remove.isPending}
              onClick={() => remove.mutate({ userId: admin.id, role: leaving })}
            >
              Remove Role
            </Button>
          </div>
        </Notice>
      )}
      {!admin.isSelf && (
        <div className={classes.addRole}>
          <NativeSelect
            label="Another role"
            value={chosen}
            disabled={isPending}
            data={[
              { value: "", label: "Choose a role" },
              ...[...roles].reverse().map((role) => ({ value: role, label: roleLabels[role] })),
            ]}
            onChange={({ currentTarget }) => setChosen(roles.find((role) => role === currentTarget.value) ?? "")}
          />
          <Button
            loading={add.isPending}
            onClick={() => {
              if (chosen === "" || admin.roles.includes(chosen)) return;
              add.mutate({ userId: admin.id, role: chosen });
            }}
          >
            Add Role
          </Button>
        </div>
      )}
      <GrantsList admin={admin} />
    </div>
  );
}
