// What an import makes, or made: counts, and what is to be looked at.
import type { ProbeContent } from '../../data/git.ts'
import { t } from '../../messages/messages.ts'
import { Problems } from '../../parts/git-problems.tsx'

export const Report = ({ of: { pages, files, layout, problems } }: { readonly of: ProbeContent }) => (
  <>
    <p>
      <strong>
        {t('newSpace.counts', {
          pages: t('newSpace.pages', { count: pages }),
          files: t('newSpace.files', { count: files }),
        })}
      </strong>
    </p>
    {layout !== 'gitbook' && (
      <p className="notice info">{t('newSpace.converted', { tool: TOOLS[layout] })}</p>
    )}
    {problems.length > 0 && (
      <details>
        <summary>{t('newSpace.problems', { count: problems.length })}</summary>
        <Problems of={problems} />
      </details>
    )}
  </>
)

/** As they call themselves. */
const TOOLS: Readonly<Record<Exclude<ProbeContent['layout'], 'gitbook'>, string>> = {
  mdbook: 'mdBook',
  mkdocs: 'MkDocs',
  docusaurus: 'Docusaurus',
  notion: 'Notion',
  confluence: 'Confluence',
}
