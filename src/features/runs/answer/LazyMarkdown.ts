import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'

/** The text of an answer as Markdown. */
export const LazyMarkdown = lazyWithPreload(
  async () => (await import('../../../components/markdown/Markdown.tsx')).Markdown,
)
