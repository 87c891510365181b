// The text of a page or of reusable content, block by block.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Change } from '../../data/change-request.ts'
import { isStatus } from '../../data/client.ts'
import { type Comparison, documentVersions, pageComparison, revisionsOf } from '../../data/review.ts'
import { t } from '../../messages/messages.ts'
import { Loaded } from '../../parts/state.tsx'
import { Blocks } from './block-list.tsx'
import { type Block, blocksOf, blocksOfVersions } from './blocks.ts'
import type { Layout } from './layout.tsx'
import type { Props as ReviewProps } from './props.ts'

type Props = ReviewProps & { readonly change: Change; readonly layout: Layout }

export const TextView = ({ change, ...props }: Props) =>
  'page' in change ? (
    <PageText {...props} change={change} />
  ) : 'reusableContent' in change ? (
    <ReusableText {...props} change={change} />
  ) : null

type OfPage = Extract<Change, { readonly page: unknown }>
type OfReusable = Extract<Change, { readonly reusableContent: unknown }>

function PageText({ place, changeRequest, change, layout }: Props & { readonly change: OfPage }) {
  const query = useQuery(pageComparison(place, change.page.id, revisionsOf(changeRequest)))
  if (isStatus(query.error, 413)) return <TooMuch />
  return <Loaded query={query}>{found => <Compared comparison={found} layout={layout} />}</Loaded>
}

type ComparedProps = { readonly comparison: Comparison; readonly layout: Layout }

function Compared({ comparison, layout }: ComparedProps) {
  const blocks = useMemo(() => blocksOf(comparison), [comparison])
  return <Text blocks={blocks} more={comparison.more} layout={layout} />
}

function ReusableText({ place, change, layout }: Props & { readonly change: OfReusable }) {
  const edited = change.type === 'reusable_content_edited' ? change.attributes.document : undefined
  const { document } = change.reusableContent
  const own = change.type === 'reusable_content_deleted' ? { before: document } : { after: document }
  const query = useQuery(documentVersions(place, edited ?? own))
  if (edited !== undefined && edited.blocks === undefined) return <TooMuch />
  return (
    <Loaded query={query}>
      {versions => (
        <Text
          blocks={blocksOfVersions(versions, edited?.blocks)}
          more={edited?.moreBlocks ?? 0}
          layout={layout}
        />
      )}
    </Loaded>
  )
}

const TooMuch = () => <p className="notice info">{t('review.tooMuch')}</p>

type TextProps = { readonly blocks: readonly Block[]; readonly more: number; readonly layout: Layout }

const Text = ({ blocks, more, layout }: TextProps) => (
  <>
    <Blocks blocks={blocks} layout={layout} />
    {more > 0 && <p className="notice info">{t('review.moreBlocks', { count: more })}</p>}
  </>
)
