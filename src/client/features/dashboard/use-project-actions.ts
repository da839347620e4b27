import { useRef } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { errorTexts } from "#shared/errors.ts";

/** What can be done to a row, with the words of success and failure. Whatever came of it, the table looks again. */
export function useProjectActions() {
  const utils = trpc.useUtils();
  /** A right that went meanwhile: the buttons follow. */
  const fail = (error: unknown, verb: string, title: string, text?: string) => {
    if (errorReason(error) === "forbidden" && errorText(error) === errorTexts.adminRequired) {
      toast.error("Access Denied", `You don't have permission to ${verb} projects`);
      void utils.auth.viewer.invalidate();
    } else toast.error(title, text);
  };
  /** What was done is pending until the table shows it; what failed can be tried again, or left, at once. */
  const onSettled = (_: unknown, error: unknown) => {
    void utils.projects.invalidate();
    const shown = utils.dashboard.invalidate();
    return error ? undefined : shown;
  };
  const setStatus = (verb: string, done: string) => ({
    onSuccess: () => toast.success(done),
    onError: (error: unknown) => fail(error, verb, "Failed to update project status", errorText(error)),
    onSettled,
  });
  const close = trpc.projects.close.useMutation(setStatus("close", "Project closed successfully"));
  const reopen = trpc.projects.reopen.useMutation(setStatus("close", "Project reopened successfully"));
  /** By project, until it is known what came of it: a clone that is asked for again after a lost answer is the same one. */
  const cloneKeys = useRef(new Map<number, string>());
  const clone = trpc.projects.clone.useMutation({
    onSuccess: ({ title }, { projectId }) => {
      cloneKeys.current.delete(projectId);
      toast.success("Project cloned successfully", title);
    },
    onError: (error) => fail(error, "clone", `Failed to clone project: ${errorText(error)}`),
    onSettled,
  });
  const keyOfClone = (projectId: number): string => {
    const key = cloneKeys.current.get(projectId) ?? crypto.randomUUID();
    cloneKeys.current.set(projectId, key);
    return key;
  };
  const remove = trpc.projects.delete.useMutation({
    onSuccess: () => toast.success("Project deleted successfully"),
    onError: (error) => fail(error, "delete", `Failed to delete project: ${errorText(error)}`),
    onSettled,
  });
  const running = [close, reopen, clone, remove].find(({ isPending }) => isPending);
  return {
    close: (projectId: number) => close.mutateAsync({ projectId }),
    reopen: (projectId: number) => reopen.mutateAsync({ projectId }),
    clone: (projectId: number) => clone.mutateAsync({ projectId, idempotencyKey: keyOfClone(projectId) }),
    delete: (projectId: number) => remove.mutateAsync({ projectId }),
    /** The project that something is being done to. */
    busyId: running?.variables?.projectId ?? null,
  };
}
