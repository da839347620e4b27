import { useEffect, useEffectEvent } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { projectAdminTexts } from "#shared/project-admin-texts.ts";
import { EditForm } from "./edit-form.tsx";
import classes from "./project-form.module.css";

/** What is said of a project that can't be loaded; the screen then goes back to the dashboard. */
function failureText(error: unknown): string {
  const reason = errorReason(error);
  if (reason === "not_found") return projectAdminTexts.notFound;
  if (reason === "network") return projectAdminTexts.loadFailed;
  return `Failed to fetch project details: ${errorText(error)}`;
}

type EditProjectProps = { userId: string; projectId: number; onDone: () => void };

/** The edit screen: loads the project once, so that nothing changes under the hands of whoever edits. */
export function EditProject({ userId, projectId, onDone }: EditProjectProps) {
  const utils = trpc.useUtils();
  const query = trpc.projects.forEdit.useQuery(
    { projectId },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnMount: "always" },
  );
  const fail = useEffectEvent((error: unknown) => {
    toast.error(failureText(error));
    onDone();
  });
  const { error, data } = query;
  useEffect(() => {
    if (error && !data) fail(error);
  }, [error, data]);

  if (!data) return <EditSkeleton />;
  const reload = async () => {
    try {
      return await utils.client.projects.forEdit.query({ projectId });
    } catch (failure) {
      toast.error(`Failed to load project: ${errorText(failure)}`);
      return undefined;
    }
  };
  return <EditForm key={data.id} userId={userId} project={data} onReload={reload} onDone={onDone} />;
}

function EditSkeleton() {
  return (
    <Loading label="Loading project">
      <div className={classes.cards}>
        {["Project Details", "Project Story"].map((title) => (
          <div key={title} className={classes.card}>
            <Skeleton width="10rem" height="1.5rem" />
            {["one", "two", "three", "four"].map((field) => (
              <Skeleton key={field} height="4.5rem" />
            ))}
          </div>
        ))}
      </div>
    </Loading>
  );
}
