import { createFileRoute, Link } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import {
  CategoryGrid,
  Hero,
  HomeSection,
  HowItWorks,
  JoinUs,
  StatsBand,
  Testimonials,
} from "#client/features/home/home-sections.tsx";
import { FavoriteButton } from "#client/features/projects/favorites/favorite-button.tsx";
import { FeaturedProjects } from "#client/features/projects/project-grid.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/")({
  // Not awaited: the page stands at once, with skeletons where the projects come.
  loader({ context }) {
    void context.trpc.projects.featured.prefetch();
    void context.trpc.site.home.prefetch();
  },
  component: Home,
});

function Home() {
  return (
    <Page>
      <PageTitle />
      <Hero />
      <HomeSection
        title="Farms to back now"
        text="Open projects, most backed first."
        link={<Link to="/discover">See all projects</Link>}
      >
        <FeaturedProjects action={(project) => <FavoriteButton project={project} />} />
      </HomeSection>
      <HomeSection id="how-it-works" title="How it works" link={<Link to="/how-it-works">Read more</Link>}>
        <HowItWorks />
      </HomeSection>
      <StatsBand />
      <HomeSection title="Browse by category">
        <CategoryGrid />
      </HomeSection>
      <Testimonials />
      <JoinUs />
    </Page>
  );
}
