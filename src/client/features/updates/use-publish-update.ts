import { useState } from "react";
import { type DraftKey, keepDraft, readDraft } from "#client/lib/draft.ts";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { countCharacters, isBlank } from "#shared/message-texts.ts";
import { updateLimits, updateTexts } from "#shared/update-texts.ts";

const blank = { title: "", content: "", key: "" };

type Publisher = { projectId: number; accountId: string };
type Field = "title" | "content";

const tooLong = { title: updateTexts.titleLong, content: updateTexts.contentLong };

/** A report from its first letter until the server has it; the draft outlives failures and a reload. */
export function usePublishUpdate({ projectId, accountId }: Publisher, onPublished: () => void) {
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
