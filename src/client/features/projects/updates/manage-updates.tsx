import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { PublishUpdate } from "./publish-update.tsx";
import { UpdateList } from "./update-list.tsx";

type ManageUpdatesProps = {
  projectId: number;
  /** Null for who may only read. */
  publisherId: string | null;
};

/** A project's updates for its administrators: the form for those who may publish, and the list. */
export default function ManageUpdates({ projectId, publisherId }: ManageUpdatesProps) {
  const utils = trpc.useUtils();
  const [published, setPublished] = useState(0);
  const showPublished = () => {
    // The list begins anew at its first page.
    setPublished((count) => count + 1);
    void utils.updates.list.invalidate({ projectId });
  };
  return (
    <>
      {publisherId && <PublishUpdate projectId={projectId} accountId={publisherId} onPublished={showPublished} />}
      <UpdateList key={published} projectId={projectId} />
    </>
  );
}
