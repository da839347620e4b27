import { Fragment } from "react";

/** The pattern of a reference of a payment or a payout, whatever the site's prefixes are. */
const reference = /(\b[A-Z]{2,5}-[0-9A-Z]{4}-[0-9A-Z]{4}(?: \d+\/\d+)?)/;

/** A sentence whose references don't break at the end of a line. */
export function WithReferences({ children }: { children: string }) {
  return children.split(reference).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move.
      <span key={index} className="reference">
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
