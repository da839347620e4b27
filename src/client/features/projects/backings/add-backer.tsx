import "#client/ui/mantine/fields.css";
import { Button } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { type Person, UserPicker } from "#client/shared-parts/user-picker.tsx";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import classes from "./backings.module.css";

/** Makes somebody a backer: picked from the list, or by the whole address that was typed. */
export function AddBacker({ projectId, onAdded }: { projectId: number; onAdded: () => void }) {
  const [text, setText] = useState("");
  const [picked, setPicked] = useState<Person | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const mutation = trpc.backings.grant.useMutation({
    onSuccess: () => {
      toast.success(backingTexts.added);
      setText("");
      setPicked(null);
      onAdded();
    },
    onError: (error) => {
      const message = errorText(error);
      if (message === backingTexts.alreadyListed) {
        toast.info(message);
        return onAdded();
      }
      toast.error(backingTexts.failed, message);
      if (errorReason(error) !== "network" && errorReason(error) !== "internal") setFault(message);
    },
  });
  const add = () => {
    if (mutation.isPending) return;
    const email = text.trim();
    if (!picked && !email.includes("@")) {
      setFault(backingTexts.notPicked);
      toast.error(backingTexts.notPicked);
      return field.current?.focus();
    }
    setFault(null);
    mutation.mutate(picked ? { projectId, userId: picked.id } : { projectId, email });
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <UserPicker
        ref={field}
        text={text}
        isPicked={picked !== null}
        error={fault}
        onType={(typed) => {
          setText(typed);
          setPicked(null);
          setFault(null);
        }}
        onPick={(person) => {
          setPicked(person);
          setText(`${person.fullName} (${person.email})`);
          setFault(null);
        }}
      />
      <Button
        className={classes.add}
        type="submit"
        loading={mutation.isPending}
        leftSection={<IconUserPlus size={18} aria-hidden="true" />}
      >
        Add as Backer
      </Button>
      <p className={classes.hint}>
        A backer sees the project's livestreams and messages. No payment is recorded: approve a receipt for that.
      </p>
    </form>
  );
}
