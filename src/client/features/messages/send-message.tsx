import "#client/ui/mantine/fields.css";
import { Button, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useRef, useSyncExternalStore } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { formatNumber } from "#client/lib/format.ts";
import { keepForTab, readKept } from "#client/lib/tab-store.ts";
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

const readers = {
  Admin: "Every backer of this project can read it and is notified.",
  Backer: "Our team and the project's other backers can read it. They don't see your name, our team does.",
};

/** The send box. What is typed stays until the server has it: through failures, other pages and a reload. */
export function SendMessage({ projectId, accountId, sendsAs, onSent }: SendMessageProps) {
  const { draft, setText, takeKey, dropKey, clear } = useDraft({ accountId, projectId });
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
    if (canSend) mutation.mutate({ projectId, content: draft.text, idempotencyKey: takeKey() });
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
        label="Your message"
        dir="auto"
        autosize
        minRows={3}
        maxRows={12}
        // Locked while it is sent; not disabled, which would take the keyboard away.
        readOnly={mutation.isPending}
        value={draft.text}
        description={readers[sendsAs]}
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
      <div className={classes.below}>
        {count >= messageLimits.countedFrom && (
          <p className={classes.count} data-over={isTooLong || undefined}>
            {formatNumber(count)} of {formatNumber(messageLimits.length)} characters
          </p>
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
type Draft = { text: string; key: string | null };

const empty: Draft = { text: "", key: null };
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

type Name = `message-draft:${string}`;

function read(name: Name): Draft {
  const known = drafts.get(name);
  if (known) return known;
  const { text, key } = readKept(name);
  const draft = typeof text === "string" ? { text, key: typeof key === "string" ? key : null } : empty;
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

/** What an account writes about a project, in this tab: it outlives a reload, and is nobody else's. */
function useDraft(owner: { accountId: string; projectId: number }) {
  const name: Name = `message-draft:${owner.accountId}:${owner.projectId}`;
  return {
    draft: useSyncExternalStore(subscribe, () => read(name)),
    /** Another text is another message: it has no key yet. */
    setText: (text: string) => write(name, { text, key: null }),
    /** The key to send this draft with. */
    takeKey: (): string => {
      const { text, key = null } = read(name);
      const taken = key ?? crypto.randomUUID();
      write(name, { text, key: taken });
      return taken;
    },
    /** The next sending is another one, of the same text. */
    dropKey: () => write(name, { text: read(name).text, key: null }),
    clear: () => write(name, empty),
  };
}
