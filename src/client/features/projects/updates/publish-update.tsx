import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { contentKey, type DraftKey, keepDraft, readDraft } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { countCharacters, isBlank } from "#shared/projects/messages-texts.ts";
import { updateLimits, updateTexts } from "#shared/projects/updates-texts.ts";
import { PhotosField, photosFault, useUpdatePhotos, writePhotos } from "./update-photos.tsx";
import classes from "./updates.module.css";

type PublishUpdateProps = { projectId: number; accountId: string; onPublished: () => void };

/** The form of an update, with its photos. */
export function PublishUpdate({ onPublished, ...publisher }: PublishUpdateProps) {
  const { values, photos, faults, isSending, isSaving, change, publish } = usePublishUpdate(publisher, onPublished);
  const title = useRef<HTMLInputElement>(null);
  const content = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      ref={form}
      className={classes.form}
      aria-busy={isSending}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = publish();
        if (wrong === "photos") focusFaulty(form.current);
        else if (wrong) ({ title, content })[wrong].current?.focus();
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
      <PhotosField queue={photos} isReadOnly={isSending} isOff={isSaving} fault={faults.photos} />
      <Button
        className={classes.send}
        type="submit"
        loading={isSending}
        leftSection={<IconSend size={18} aria-hidden="true" />}
      >
        Publish Update
      </Button>
      <LeaveGuard isActive={photos.isSending} title="Photos are still being uploaded">
        Those that haven't arrived won't be in the update if you leave now.
      </LeaveGuard>
    </form>
  );
}

const focusFaulty = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>("[data-failed] button, [aria-invalid=true]")?.focus();

const blank = { title: "", content: "", photos: "" };

type Publisher = { projectId: number; accountId: string };
type TextField = "title" | "content";
type Field = TextField | "photos";

const tooLong = { title: updateTexts.titleLong, content: updateTexts.contentLong };

/** An update from its first letter until the server has it; the draft outlives failures and a reload. */
function usePublishUpdate({ projectId, accountId }: Publisher, onPublished: () => void) {
  const draftName: DraftKey = `update-draft:${accountId}:${projectId}`;
  const [draft, setDraft] = useState(() => readDraft(draftName, blank));
  const queue = useUpdatePhotos(draft.photos);
  const { photos } = queue;
  const [wasTried, setWasTried] = useState(false);
  /** It is to be published as soon as its photos have arrived. */
  const [isWaiting, setIsWaiting] = useState(false);
  const hasResent = useRef(false);
  const { title, content } = draft;

  useEffect(() => {
    keepDraft(draftName, { title, content, photos: writePhotos(photos) }, Object.keys(blank));
  }, [draftName, title, content, photos]);

  const fail = (reason: string) =>
    toast.error(updateTexts.failed, `${reason} Your text ${photos.length > 0 ? "and photos are" : "is"} kept.`);
  const mutation = trpc.updates.publish.useMutation({
    onSuccess: () => {
      setDraft(blank);
      queue.arrange(() => []);
      setWasTried(false);
      toast.success(updateTexts.added);
      onPublished();
    },
    onError: (error) => {
      const isPhotoGone = errorText(error) === updateTexts.photoGone;
      if (isPhotoGone && queue.resend(!hasResent.current)) {
        hasResent.current = true;
        return setIsWaiting(true);
      }
      fail(errorText(error));
    },
  });

  const faultOf = (field: TextField): string | null => {
    if (isBlank(draft[field])) return wasTried ? updateTexts.required : null;
    return countCharacters(draft[field].trim()) > updateLimits[field] ? tooLong[field] : null;
  };

  const send = useEffectEvent(() => {
    setIsWaiting(false);
    if (photosFault(photos)) return fail(updateTexts.photoFailed);
    const update = { title, content, photos: photos.map(({ key: photoKey, altText }) => ({ photoKey, altText })) };
    mutation.mutate({ projectId, ...update, idempotencyKey: contentKey(draftName, update) });
  });
  useEffect(() => {
    if (isWaiting && !queue.isSending) send();
  }, [isWaiting, queue.isSending]);

  return {
    values: draft,
    photos: queue,
    faults: { title: faultOf("title"), content: faultOf("content"), photos: wasTried ? photosFault(photos) : null },
    /** It was asked to be published. */
    isSending: isWaiting || mutation.isPending,
    /** Nothing can be changed or stopped any more. */
    isSaving: mutation.isPending,
    change: (field: TextField, text: string) => setDraft({ ...draft, [field]: text }),
    /** Publishes it once its photos have arrived. Gives the first field that keeps it from being sent. */
    publish: (): Field | null => {
      if (isWaiting || mutation.isPending) return null;
      setWasTried(true);
      const wrong = (["title", "content"] as const).find((field) => isBlank(draft[field]) || faultOf(field));
      if (wrong) return wrong;
      if (photosFault(photos)) return "photos";
      hasResent.current = false;
      setIsWaiting(true);
      return null;
    },
  };
}
