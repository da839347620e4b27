import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { FarmNotFound, FarmPage } from "#client/features/farm-pages/farm-page.tsx";
import { FavoriteButton } from "#client/features/projects/favorites/favorite-button.tsx";
import { ProjectCard } from "#client/features/projects/project-card.tsx";
import { ProjectGrid } from "#client/features/projects/project-grid.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { recordTexts } from "#shared/farms/record.ts";
import { readProjectId } from "#shared/projects/project-id.ts";

export const Route = createFileRoute("/farms/$id")({
  component: FarmRoute,
});

function FarmRoute() {
  const { id } = Route.useParams();
  const farmId = readProjectId(id);
  return (
    <Page>
      {farmId ? (
        <FarmPage
          key={farmId}
          farmId={farmId}
          title={(title) => <PageTitle>{title}</PageTitle>}
          running={(projects) => (
            <ProjectGrid>
              {projects.map((project, index) => (
                <li key={project.id}>
                  <ProjectCard project={project} isEager={index < 3} action={<FavoriteButton project={project} />} />
                </li>
              ))}
            </ProjectGrid>
          )}
        />
      ) : (
        <>
          <PageTitle>{recordTexts.notFoundTitle}</PageTitle>
          <FarmNotFound />
        </>
      )}
    </Page>
  );
}
