import { Button, Textarea, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useRef } from "react";
import classes from "./publish-update.module.css";
import { usePublishUpdate } from "./use-publish-update.ts";

type PublishUpdateProps = { projectId: number; accountId: string; onPublished: () => void };

/** The form of a farm's report. */
export function PublishUpdate({ onPublished, ...publisher }: PublishUpdateProps) {
  const { values, faults, isSending, change, publish } = usePublishUpdate(publisher, onPublished);
  const title = useRef<HTMLInputElement>(null);
  const content = useRef<HTMLTextAreaElement>(null);
  return (
    <form
      className={classes.form}
      aria-busy={isSending}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = publish();
        if (wrong) ({ title, content })[wrong].current?.focus();
      }}
    >
      <TextInput
        ref={title}
        label="Update Title"
        withAsterisk
        dir="auto"
        autoComplete="off"
        readOnly={isSending}
        value={values.title}
        error={faults.title}
        onChange={({ currentTarget }) => change("title", currentTarget.value)}
      />
      <Textarea
        ref={content}
        label="Content"
        withAsterisk
        dir="auto"
        autosize
        minRows={5}
        maxRows={20}
        readOnly={isSending}
        description="Everybody can read it on the project's page. Its backers are notified."
        inputWrapperOrder={["label", "input", "description", "error"]}
        classNames={{ description: classes.hint }}
        value={values.content}
        error={faults.content}
        onChange={({ currentTarget }) => change("content", currentTarget.value)}
      />
      <Button
        className={classes.send}
        type="submit"
        loading={isSending}
        leftSection={<IconSend size={18} aria-hidden="true" />}
      >
        Publish Update
      </Button>
    </form>
  );
}
