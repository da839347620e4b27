import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { Books } from "#client/features/books/books.tsx";
import { readBooksSearch } from "#client/features/books/books-search.ts";
import { requireAdmin } from "#client/lib/session/guards.ts";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/admin/books")({
  validateSearch: readBooksSearch,
  beforeLoad: requireAdmin({ permission: "books:close" }),
  component: BooksPage,
});

function BooksPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page>
      <PageTitle>Books</PageTitle>
      <Books search={search} onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })} />
    </Page>
  );
}
