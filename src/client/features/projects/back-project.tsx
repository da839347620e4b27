import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import classes from "./funding.module.css";

const signInText = "Please log in to back this project";

/** The way to /back-project: takes the project from the favorites first (specification, section 7). */
export function useBackProject(projectId: number) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const [asksToSignIn, setAsksToSignIn] = useState(false);
  const remove = trpc.favorites.remove.useMutation({
    onSuccess: async () => {
      void utils.favorites.invalidate();
      await navigate({ to: "/back-project/$id", params: { id: String(projectId) } });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const back = () => {
    if (viewer) return remove.mutate({ projectId });
    setAsksToSignIn(true);
    toast.error(signInText);
  };
  return { back, isPending: remove.isPending, asksToSignIn: asksToSignIn && !viewer };
}

type BackProjectProps = ReturnType<typeof useBackProject> & {
  projectId: number;
  buttonRef?: RefObject<HTMLButtonElement | null>;
};

/** The page's one action. Anonymous visitors get the two ways in beside it, and go on from there. */
export function BackProject({ projectId, back, isPending, asksToSignIn, buttonRef }: BackProjectProps) {
  const next = `/back-project/${projectId}`;
  return (
    <div className={classes.actions}>
      <Button ref={buttonRef} size="lg" fullWidth loading={isPending} onClick={back}>
        Back this project
      </Button>
      {asksToSignIn && (
        <div className={classes.signIn}>
          <p>{signInText}</p>
          <LinkButton to="/login" search={{ next }} variant="default">
            Sign In
          </LinkButton>
          <LinkButton to="/signup" variant="default">
            Sign Up
          </LinkButton>
        </div>
      )}
    </div>
  );
}
