import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { type DraftKey, keepDraft, readDraft } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { countCharacters, isBlank } from "#shared/projects/messages-texts.ts";
import { updateLimits, updateTexts } from "#shared/projects/updates-texts.ts";
import { UpdateList } from "./update-list.tsx";
import classes from "./updates.module.css";

type ManageUpdatesProps = {
  projectId: number;
  /** Null for who may only read. */
  publisherId: string | null;
};

/** A project's reports for its administrators: the form for those who may publish, and the list. */
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

type PublishUpdateProps = { projectId: number; accountId: string; onPublished: () => void };

/** The form of a farm's report. */
function PublishUpdate({ onPublished, ...publisher }: PublishUpdateProps) {
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

const blank = { title: "", content: "", key: "" };

type Publisher = { projectId: number; accountId: string };
type Field = "title" | "content";

const tooLong = { title: updateTexts.titleLong, content: updateTexts.contentLong };

/** A report from its first letter until the server has it; the draft outlives failures and a reload. */
function usePublishUpdate({ projectId, accountId }: Publisher, onPublished: () => void) {
  const draftName: DraftKey = `update-draft:${accountId}:${projectId}`;
  const [values, setValues] = useState(() => readDraft(draftName, blank));
  const [wasSent, setWasSent] = useState(false);
  const keep = (next: typeof blank) => {
    setValues(next);
    keepDraft(draftName, next, ["title", "content", "key"]);
  };
  const mutation = trpc.updates.publish.useMutation({
    onSuccess: () => {
      keep(blank);
      setWasSent(false);
      toast.success(updateTexts.added);
      onPublished();
    },
    onError: (error) => {
      if (errorReason(error) === "conflict") keep({ ...values, key: "" });
      toast.error(updateTexts.failed, `${errorText(error)} Your text is kept.`);
    },
  });
  const faultOf = (field: Field): string | null => {
    if (isBlank(values[field])) return wasSent ? updateTexts.required : null;
    return countCharacters(values[field].trim()) > updateLimits[field] ? tooLong[field] : null;
  };
  return {
    values,
    faults: { title: faultOf("title"), content: faultOf("content") },
    isSending: mutation.isPending,
    /** Another text is another report: it has no key yet. */
    change: (field: Field, text: string) => keep({ ...values, [field]: text, key: "" }),
    /** Gives the first field that keeps it from being sent. */
    publish: (): Field | null => {
      if (mutation.isPending) return null;
      setWasSent(true);
      const wrong = (["title", "content"] as const).find((field) => isBlank(values[field]) || faultOf(field));
      if (wrong) return wrong;
      const idempotencyKey = values.key || crypto.randomUUID();
      keep({ ...values, key: idempotencyKey });
      const { title, content } = values;
      mutation.mutate({ projectId, title, content, idempotencyKey });
      return null;
    },
  };
}
