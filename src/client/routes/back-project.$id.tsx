import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import {
  BackProjectPage,
  PaymentPageSkeleton,
  ProjectNotFound,
} from "#client/features/payments/buying/back-project-page.tsx";
import { readPaySearch } from "#client/features/payments/buying/pay-search.ts";
import { usePaymentPage } from "#client/features/payments/buying/use-payment-page.ts";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { paymentTexts } from "#shared/payments/texts.ts";
import { readProjectId } from "#shared/projects/project-id.ts";

// No loader: bank details are never shown from an earlier visit, nor asked for by hovering over a link.
export const Route = createFileRoute("/back-project/$id")({
  validateSearch: readPaySearch,
  beforeLoad: requireSignIn,
  component: BackProjectRoute,
});

function BackProjectRoute() {
  const { id } = Route.useParams();
  const projectId = readProjectId(id);
  return <Page width="text">{projectId ? <ShownPage key={projectId} projectId={projectId} /> : <Missing />}</Page>;
}

function ShownPage({ projectId }: { projectId: number }) {
  const { lots } = Route.useSearch();
  const query = usePaymentPage(projectId);
  if (query.data) {
    return (
      <>
        <PageTitle>{`Back ${query.data.project.title}`}</PageTitle>
        <BackProjectPage page={query.data} askedLots={lots} />
      </>
    );
  }
  if (errorReason(query.error) === "not_found") return <Missing />;
  return (
    <>
      <PageTitle>Back this project</PageTitle>
      {query.isPending ? (
        <PaymentPageSkeleton />
      ) : (
        <LoadFailed
          query={query}
          level={1}
          title="The payment details could not be loaded"
          text={`${errorText(query.error)} Please don't transfer any money until this page shows our account.`}
        />
      )}
    </>
  );
}

function Missing() {
  return (
    <>
      <PageTitle>{paymentTexts.projectNotFound}</PageTitle>
      <ProjectNotFound />
    </>
  );
}
