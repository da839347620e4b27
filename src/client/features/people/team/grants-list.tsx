import { Button } from "@mantine/core";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { grantLabels, grantSummaries, adminTexts as texts } from "#shared/people/texts.ts";
import { grants } from "#shared/permissions.ts";
import classes from "./team.module.css";
import type { Admin } from "./team-question.tsx";

/**
 * An administrator's grants beside the roles, each with a press that gives or takes it. Nobody gives themselves one.
 */
export function GrantsList({ admin }: { admin: Admin }) {
  const utils = trpc.useUtils();
  const how = (done: string, failed: string) => ({
    onSuccess: ({ wasChanged }: { wasChanged: boolean }) => {
      if (wasChanged) toast.success(done);
    },
    onError: (error: unknown) => toast.error(failed, errorReason(error) === "internal" ? undefined : errorText(error)),
    onSettled: () => {
      void utils.auth.viewer.invalidate();
      return utils.admins.invalidate();
    },
  });
  const add = trpc.admins.addGrant.useMutation(how(texts.grantAdded, texts.addGrantFailed));
  const remove = trpc.admins.removeGrant.useMutation(how(texts.grantRemoved, texts.removeGrantFailed));
  const shown = admin.isSelf ? admin.grants : grants;
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="grants-heading">
      <h3 id="grants-heading" className={classes.subheading}>
        Beside the roles
      </h3>
      <p className={classes.dimmed}>For one kind of work, with any role or none. All owners are emailed.</p>
      <ul className={classes.roles}>
        {shown.map((grant) => {
          const isHeld = admin.grants.includes(grant);
          const change = isHeld ? remove : add;
          return (
            <li key={grant}>
              <div>
                <div className={classes.name}>{grantLabels[grant]}</div>
                <div className={classes.dimmed}>{grantSummaries[grant]}</div>
              </div>
              <Button
                variant="default"
                size="sm"
                loading={change.isPending && change.variables.grant === grant}
                disabled={add.isPending || remove.isPending}
                aria-label={isHeld ? `Remove ${grantLabels[grant]}` : `Add ${grantLabels[grant]}`}
                onClick={() => change.mutate({ userId: admin.id, grant })}
              >
                {isHeld ? "Remove" : "Add"}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
