import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { isCancelled, uploadFile } from "#client/lib/upload.ts";
import { bankImportTexts } from "#shared/bank/import-texts.ts";
import { type ImportAnswer, importPath, type SameLines } from "#shared/bank/statement-import-texts.ts";
import { statementBytes, statementTexts } from "#shared/bank/statement-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";

/** A person's answers beside the file, because the server asked. */
export type Said = {
  mapping?: StatementMapping;
  openingNaira?: string;
  sameLines?: SameLines;
  gapReason?: string;
};

/**
 * A statement from choosing to the server's answer. The file stays in the browser: with what the server asks for it is
 * sent again, and nothing is kept there before.
 */
export function useImport(accountId: number) {
  const utils = trpc.useUtils();
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const [said, setSaid] = useState<Said>({});
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: async ({ sent, words }: { sent: File; words: Said }) => {
      const controller = new AbortController();
      running.current = controller;
      setShare(0);
      const fields = {
        accountId: String(accountId),
        ...(words.mapping && { mapping: JSON.stringify(words.mapping) }),
        ...(words.openingNaira && { openingNaira: words.openingNaira }),
        ...(words.sameLines && { sameLines: words.sameLines }),
        ...(words.gapReason && { gapReason: words.gapReason }),
      };
      const answer = await uploadFile(importPath, sent, fields, { signal: controller.signal, onProgress: setShare });
      return answer as ImportAnswer;
    },
    // Stopped in the last moment, the statement may have been imported all the same.
    onSettled: async (answer, error) => {
      running.current = null;
      if (answer?.kind === "imported" || error) await utils.invalidate();
    },
  });
  const send = (more: Said = {}): void => {
    if (mutation.isPending) return;
    const found = file ? faultOf(file) : bankImportTexts.fileMissing;
    setFault(found);
    if (!file || found) return;
    const words = { ...said, ...more };
    setSaid(words);
    mutation.mutate({ sent: file, words });
  };
  return {
    file,
    fault,
    share,
    isSending: mutation.isPending,
    answer: mutation.isPending ? undefined : mutation.data,
    failure: mutation.isError && !isCancelled(mutation.error) ? errorText(mutation.error) : null,
    choose: (next: File | null) => {
      mutation.reset();
      setSaid({});
      setFile(next);
      setFault(next && faultOf(next));
    },
    send,
    cancel: () => running.current?.abort(),
  };
}

export type Import = ReturnType<typeof useImport>;

/** Saves a wait only: the server looks into the file. */
function faultOf({ size }: File): string | null {
  if (size === 0) return statementTexts.empty;
  return size > statementBytes ? statementTexts.tooLarge : null;
}
