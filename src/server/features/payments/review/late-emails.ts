import { greeting, type Mail } from "#server/mail/layout.ts";
import { formatDate } from "#shared/dates.ts";
import { promisedDay } from "#shared/payments/late-texts.ts";
import { paymentLimits } from "#shared/payments/texts.ts";
import type { Site } from "#shared/site/site.ts";

type Late = {
  fullName: string;
  site: Site;
  /** Payments whose backer was promised an answer by now, and the end of the oldest promise; null where there are none. */
  reviews: { count: number; oldest: Date } | null;
  /** Approved payments that the bank hasn't shown for days. */
  unseen: number;
};

/** Sent to every owner once a working day as long as a payment is late. */
export function lateReviewsMail({ fullName, site, reviews, unseen }: Late): Mail {
  const late = (reviews?.count ?? 0) + unseen;
  const title = late === 1 ? "1 payment is late" : `${late} payments are late`;
  return {
    subject: `${site.name}: ${title}`,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        ...(reviews
          ? [
              `${reviews.count === 1 ? "A backer waits" : `${reviews.count} backers wait`} for an answer that we promised. The oldest promise was for ${formatDate(promisedDay(reviews.oldest))}. They read that we are late.`,
            ]
          : []),
        ...(unseen > 0
          ? [
              `${unseen === 1 ? "An approved payment was" : `${unseen} approved payments were`} not seen on a statement for ${paymentLimits.unseenLateDays} days.`,
            ]
          : []),
      ],
      action: { label: "Open the late payments", url: `${site.publicUrl}/admin/payments?status=late` },
      footnote: "All owners get this mail once a working day, until nothing is late.",
    },
  };
}
