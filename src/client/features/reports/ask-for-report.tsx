import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import classes from "./farm-record.module.css";

/** Where the server lets a backer ask for a report: once it is due, and ten days after the last. It says what comes of it. */
export function AskForReport({ projectId }: { projectId: number }) {
  const utils = trpc.useUtils();
  const query = trpc.reports.canAsk.useQuery({ projectId }, { retry: false });
  const ask = trpc.reports.ask.useMutation({
    onSuccess: () => utils.reports.canAsk.invalidate({ projectId }),
    onError: (error) => toast.error(errorText(error)),
  });
  if (query.data?.hasAsked) {
    return (
      <p className={classes.asked} role="status">
        You asked for this report. The farm reads how many backers asked. We tell you when it comes.
      </p>
    );
  }
  if (!query.data?.canAsk) return null;
  return (
    <div className={classes.ask}>
      <Button loading={ask.isPending} onClick={() => ask.mutate({ projectId })}>
        Ask for a report
      </Button>
      <p>The farm reads how many backers asked, not who. We tell you when the report comes.</p>
    </div>
  );
}
