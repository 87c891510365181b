// The text of reusable content, block by block.
import { useQuery } from '@tanstack/react-query'
import type { Change } from '../../data/change-request.ts'
import { documentVersions } from '../../data/review.ts'
import { Loaded } from '../../parts/state.tsx'
import { Blocks } from './block-list.tsx'
import { blocksOfVersions } from './blocks.ts'
import type { Layout } from './layout.tsx'
import { More, TooMuch } from './page-text.tsx'
import type { Props as ReviewProps } from './props.ts'

type OfReusable = Extract<Change, { readonly reusableContent: unknown }>
type Props = Pick<ReviewProps, 'place'> & { readonly change: OfReusable; readonly layout: Layout }

export function ReusableText({ place, change, layout }: Props) {
  const edited = change.type === 'reusable_content_edited' ? change.attributes.document : undefined
  const { document } = change.reusableContent
  const own = change.type === 'reusable_content_deleted' ? { before: document } : { after: document }
  const query = useQuery(documentVersions(place, edited ?? own))
  if (edited !== undefined && edited.blocks === undefined) return <TooMuch />
  return (
    <Loaded query={query}>
      {versions => (
        <>
          <Blocks blocks={blocksOfVersions(versions, edited?.blocks)} layout={layout} />
          <More count={edited?.moreBlocks ?? 0} />
        </>
      )}
    </Loaded>
  )
}
