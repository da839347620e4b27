import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { IconLinkPlus } from "@tabler/icons-react";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { reportLimits, reportTexts } from "#shared/reports/texts.ts";
import classes from "./reports.module.css";

/** Links by which somebody without an account reports: made here, shown once, and ended here. */
export function ReportLinks({ projectId }: { projectId: number }) {
  const utils = trpc.useUtils();
  const [label, setLabel] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const { data: links } = trpc.reports.links.useQuery({ projectId });
  const onSettled = () => utils.reports.links.invalidate({ projectId });
  const make = trpc.reports.makeLink.useMutation({
    onSettled,
    onSuccess: () => setLabel(""),
    onError: (error) => setFault(errorText(error)),
  });
  const revoke = trpc.reports.revokeLink.useMutation({
    onSettled,
    onError: (error) => toast.error("The link still works.", errorText(error)),
  });
  return (
    <section className={classes.links} aria-label="Links to report by">
      <h3 className={classes.title}>Links to report by</h3>
      <p className={classes.fine}>
        Whoever has the link reports for this project without an account, for {reportLimits.linkDays} days. Send it only
        to the person on the farm.
      </p>
      <form
        className={classes.linkForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (label.trim() === "") return setFault(reportTexts.labelMissing);
          if (!make.isPending) make.mutate({ projectId, label: label.trim() });
        }}
      >
        <TextInput
          label="Who is it for?"
          placeholder="Musa at the ponds"
          maxLength={reportLimits.linkLabel}
          value={label}
          error={fault}
          onChange={({ currentTarget }) => {
            setFault(null);
            setLabel(currentTarget.value);
          }}
        />
        <Button
          type="submit"
          variant="default"
          loading={make.isPending}
          leftSection={<IconLinkPlus size={18} aria-hidden="true" />}
        >
          Make link
        </Button>
      </form>
      {make.data && (
        <div className={classes.made} role="status">
          <code className={classes.url}>{make.data.url}</code>
          <CopyButton text={make.data.url} what="link" />
          <span className={classes.fine}>Copy it now: it isn't shown again.</span>
        </div>
      )}
      {links && links.length > 0 && (
        <ul className={classes.owed} aria-label="Links that work">
          {links.map((link) => (
            <li key={link.id} className={classes.row}>
              <span className={classes.number}>{link.label}</span>
              <span className={classes.fine}>until {formatDateTime(link.expiresAt)}</span>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={`End the link for ${link.label}`}
                loading={revoke.isPending && revoke.variables.linkId === link.id}
                onClick={() => revoke.mutate({ linkId: link.id })}
              >
                End now
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
