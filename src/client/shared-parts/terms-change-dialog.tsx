import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/overlays.css";
import { Button, Modal } from "@mantine/core";
import { useEffect, useId, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { RichText } from "#client/ui/media/rich-text.tsx";
import { consentTexts as texts } from "#shared/site/consent-texts.ts";
import classes from "./terms-change-dialog.module.css";

type TermsChangeDialogProps = {
  isOpen: boolean;
  /** Put off, or answered. */
  onClose: () => void;
};

/** Asks to agree to changed terms. What is agreed to is what *Read* shows. */
export default function TermsChangeDialog({ isOpen, onClose }: TermsChangeDialogProps) {
  const change = trpc.site.openChange.useQuery(undefined, { enabled: isOpen, staleTime: 0 });
  const { data } = change;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={data ? texts.changed(data.inForceFrom, data.isInForce) : texts.agreeFirstTitle}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": texts.later }}
    >
      {data ? (
        <Question change={data} onClose={onClose} />
      ) : data === null ? (
        <>
          <p>{texts.nothingAsked}</p>
          <ButtonRow>
            <Button onClick={onClose}>Close</Button>
          </ButtonRow>
        </>
      ) : change.error ? (
        <LoadFailed query={change} title={texts.changeFailed} />
      ) : (
        <Loading label="Loading what changes">
          <SkeletonText lines={4} />
        </Loading>
      )}
    </Modal>
  );
}

type QuestionProps = { change: NonNullable<RouterOutputs["site"]["openChange"]>; onClose: () => void };

function Question({ change, onClose }: QuestionProps) {
  const { version, sha256, html, changes, inForceFrom, isInForce } = change;
  const utils = trpc.useUtils();
  const wordsId = useId();
  const read = useRef<HTMLButtonElement>(null);
  // The dialog opens before it is known what changes.
  useEffect(() => read.current?.focus(), []);
  const [isRead, setIsRead] = useState(false);
  const agree = trpc.site.agree.useMutation({
    onSuccess: () => {
      toast.success(texts.thanks);
      onClose();
      void utils.auth.viewer.invalidate();
      void utils.site.ownAgreements.invalidate();
    },
    // Other words are in force than were shown, so they are shown instead.
    onError: (error) => errorReason(error) === "conflict" && void utils.site.openChange.invalidate(),
  });
  return (
    <div className={classes.question}>
      <h3 className={classes.heading}>{texts.whatChanges}</h3>
      {changes.map(({ version: of, note }) => (
        <p key={of} className={classes.note}>
          {note}
        </p>
      ))}
      <p className={classes.fine}>
        {texts.running} {isInForce ? texts.laterInForce : texts.laterAnnounced(inForceFrom)}
      </p>
      {isRead && (
        <section
          id={wordsId}
          className={classes.words}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
          tabIndex={0}
          aria-label={texts.wordsOf(version)}
        >
          <RichText html={html} />
        </section>
      )}
      {agree.error && (
        <Notice tone="negative" title={errorText(agree.error)} isAlert>
          {null}
        </Notice>
      )}
      <ButtonRow>
        <Button loading={agree.isPending} onClick={() => agree.mutate({ version, sha256 })}>
          {texts.agree}
        </Button>
        <Button
          ref={read}
          variant="default"
          aria-expanded={isRead}
          aria-controls={isRead ? wordsId : undefined}
          onClick={() => setIsRead(!isRead)}
        >
          {isRead ? texts.hide : texts.read}
        </Button>
        <Button variant="default" disabled={agree.isPending} onClick={onClose}>
          {texts.later}
        </Button>
      </ButtonRow>
    </div>
  );
}
