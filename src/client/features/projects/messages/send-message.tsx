import "#client/ui/mantine/fields.css";
import { Button, Checkbox, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useRef, useSyncExternalStore } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { formatNumber } from "#client/lib/format.ts";
import { keepForTab, readForTab } from "#client/lib/tab-store.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { countCharacters, isBlank, messageLimits, messageTexts } from "#shared/projects/messages-texts.ts";
import classes from "./messages.module.css";

type SendMessageProps = {
  projectId: number;
  accountId: string;
  /** In whose name, by the server's word. */
  sendsAs: "Admin" | "Backer";
  onSent: () => void;
};

/** A backer's message that an administrator answers, to its writer only. */
export type Answered = { id: number; name: string };

const readers = {
  Admin: "Every backer of this project can read it and is notified.",
  Backer: "Our team and the project's other backers can read it. They don't see your name, our team does.",
};

const toTeam = "Only our team can read it, and answers you alone.";

/** The send box. What is typed stays until the server has it: through failures, other pages and a reload. */
export function SendMessage({ projectId, accountId, sendsAs, onSent }: SendMessageProps) {
  const { draft, setText, setReaders, takeKey, dropKey, clear } = useDraft({ accountId, projectId });
  const isPrivate = sendsAs === "Backer" && draft.isPrivate;
  const answered = sendsAs === "Admin" ? draft.answered : null;
  const hint = answered ? `Only ${answered.name} and our team can read it.` : isPrivate ? toTeam : readers[sendsAs];
  const field = useRef<HTMLTextAreaElement>(null);
  const mutation = trpc.messages.send.useMutation({
    onSuccess: () => {
      clear();
      toast.success(messageTexts.sent);
      onSent();
      // The pressed button was disabled meanwhile and has lost the keyboard. On phones it would open it again.
      if (document.activeElement === document.body && matchMedia("(hover: hover)").matches) field.current?.focus();
    },
    onError: (error) => {
      if (errorReason(error) === "conflict") dropKey();
      toast.error(messageTexts.failed, `${errorText(error)} Your text is kept.`);
    },
  });
  const count = countCharacters(draft.text.trim());
  const isTooLong = count > messageLimits.length;
  const canSend = !isBlank(draft.text) && !isTooLong && !mutation.isPending;
  const send = () => {
    if (!canSend) return;
    const answers = answered && { answersId: answered.id };
    mutation.mutate({ projectId, content: draft.text, isPrivate, ...answers, idempotencyKey: takeKey() });
  };
  return (
    <form
      className={classes.form}
      aria-busy={mutation.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={field}
        label={answered ? `Your message to ${answered.name}` : "Your message"}
        dir="auto"
        autosize
        minRows={3}
        maxRows={12}
        // Locked while it is sent; not disabled, which would take the keyboard away.
        readOnly={mutation.isPending}
        value={draft.text}
        description={hint}
        classNames={{ description: classes.hint }}
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={isTooLong && messageTexts.tooLong}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {sendsAs === "Backer" && (
        <Checkbox
          label={messageTexts.onlyToTeam}
          checked={draft.isPrivate}
          disabled={mutation.isPending}
          onChange={({ currentTarget }) => setReaders({ isPrivate: currentTarget.checked, answered: null })}
        />
      )}
      <div className={classes.below}>
        {count >= messageLimits.countedFrom && (
          <p className={classes.count} data-over={isTooLong || undefined}>
            {formatNumber(count)} of {formatNumber(messageLimits.length)} characters
          </p>
        )}
        {answered && (
          <Button
            variant="default"
            disabled={mutation.isPending}
            onClick={() => setReaders({ isPrivate: false, answered: null })}
          >
            Write to all instead
          </Button>
        )}
        <p className={classes.keys}>Ctrl+Enter sends</p>
        <Button
          className={classes.send}
          type="submit"
          disabled={!canSend && !mutation.isPending}
          loading={mutation.isPending}
          leftSection={<IconSend size={18} aria-hidden="true" />}
        >
          Send message
        </Button>
      </div>
    </form>
  );
}

/**
 * A message that isn't sent yet. The key names one sending of this very text: it stays while the text does, so that
 * sending again after a lost answer sends nothing twice, also after the page was loaded anew.
 */
type Readers = { isPrivate: boolean; answered: Answered | null };
type Draft = Readers & { text: string; key: string | null };

const empty: Draft = { text: "", isPrivate: false, answered: null, key: null };
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

type Name = `message-draft:${string}`;

function read(name: Name): Draft {
  const known = drafts.get(name);
  if (known) return known;
  const { text, key, isPrivate, answered } = readForTab(name);
  const draft =
    typeof text === "string"
      ? {
          text,
          isPrivate: isPrivate === true,
          key: typeof key === "string" ? key : null,
          // Who reads it is kept with the text: what was written to one person never becomes a message to all.
          answered: isAnswered(answered) ? answered : null,
        }
      : empty;
  drafts.set(name, draft);
  return draft;
}

function write(name: Name, draft: Draft) {
  drafts.set(name, draft);
  keepForTab(name, draft.text ? draft : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function isAnswered(kept: unknown): kept is Answered {
  const { id, name } = Object(kept) as Partial<Answered>;
  return typeof id === "number" && typeof name === "string";
}

type Owner = { accountId: string; projectId: number };
const nameOf = ({ accountId, projectId }: Owner): Name => `message-draft:${accountId}:${projectId}`;

/** Addresses the draft to the writer of this message only; our team can read it too. */
export function addressDraftTo(owner: Owner, answered: Answered) {
  const name = nameOf(owner);
  write(name, { ...read(name), isPrivate: false, answered, key: null });
}

/** An account's draft about a project, in this tab: it outlives a reload, and is nobody else's. */
function useDraft(owner: Owner) {
  const name = nameOf(owner);
  return {
    draft: useSyncExternalStore(subscribe, () => read(name)),
    /** Another text is another message: it has no key yet. */
    setText: (text: string) => write(name, { ...read(name), text, key: null }),
    /** So is the same text to other readers. */
    setReaders: (to: Readers) => write(name, { ...read(name), ...to, key: null }),
    /** The key to send this draft with. */
    takeKey: (): string => {
      const draft = read(name);
      const key = draft.key ?? crypto.randomUUID();
      write(name, { ...draft, key });
      return key;
    },
    /** The next sending is another one, of the same text. */
    dropKey: () => write(name, { ...read(name), key: null }),
    clear: () => write(name, empty),
  };
}
