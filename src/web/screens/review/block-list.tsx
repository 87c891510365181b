// The blocks of a text in one column or two. Runs that stayed are folded, but for one block beside a change. Long texts
// come in portions, as they are scrolled to.
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import Minus from 'lucide-react/icons/minus'
import MoveRight from 'lucide-react/icons/move-right'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import { memo, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Markup } from '../../parts/markup.tsx'
import type { Block, Changed, Side } from './blocks.ts'
import type { Layout } from './layout.tsx'
import { BlockTalk, CommentButton, isTalkedAbout, TalkContext } from './talk.tsx'
import { mergeVersions } from './words.ts'

type Props = { readonly blocks: readonly Block[]; readonly layout: Layout }

/** Rendered at once. */
const PORTION = 60

/** What surrounds a text changes more often than the text: a page is marked as viewed, a comment comes. */
export const Blocks = memo(function Blocks({ blocks, layout }: Props) {
  const [count, setCount] = useState(PORTION)
  const rest = useRef<HTMLDivElement>(null)
  const isWhole = count >= blocks.length
  useEffect(() => {
    const { current } = rest
    if (current === null || isWhole) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setCount(before => before + PORTION)
      },
      { rootMargin: '1000px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [isWhole])
  return (
    <div className={layout === 'two' ? 'review-blocks two' : 'review-blocks'}>
      {blocks
        .slice(0, count)
        .map((block, index) =>
          block.kind === 'same' ? (
            <SameBlocks
              key={idOf(block)}
              sides={block.sides}
              isFirst={index === 0}
              isLast={index === blocks.length - 1}
            />
          ) : (
            <ChangedBlock key={idOf(block)} block={block} layout={layout} />
          ),
        )}
      {!isWhole && <div ref={rest} className="review-rest" data-rest aria-hidden />}
    </div>
  )
})

/** Keys are unique on each side. */
const idOf = (block: Block): string =>
  block.kind === 'same'
    ? `same.${block.sides[0]?.key}`
    : `${block.kind}.${block.before?.key}.${block.after?.key}`

type SameProps = { readonly sides: readonly Side[]; readonly isFirst: boolean; readonly isLast: boolean }

const BESIDE = 1
/** Fewer are not worth a fold. */
const FOLDED_MIN = 2

function SameBlocks({ sides, isFirst, isLast }: SameProps) {
  const talk = useContext(TalkContext)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const head = isFirst ? 0 : BESIDE
  const tail = sides.length - (isLast ? 0 : BESIDE)
  const shown: ReactNode[] = []
  let run: Side[] = []
  const endRun = () => {
    const { length } = run
    const id = run[0]?.key ?? ''
    if (length < FOLDED_MIN || open.has(id))
      shown.push(...run.map(side => <Plain key={side.key} side={side} />))
    else
      shown.push(
        <div key={`fold.${id}`} className="review-fold">
          <Button look="quiet" onPress={() => setOpen(before => new Set(before).add(id))}>
            <ChevronsUpDown size={16} aria-hidden />
            {t('review.unchanged', { count: length })}
          </Button>
        </div>,
      )
    run = []
  }
  for (const [index, side] of sides.entries()) {
    if (index >= head && index < tail && !isTalkedAbout(talk, side.key)) {
      run.push(side)
      continue
    }
    endRun()
    shown.push(<Plain key={side.key} side={side} />)
  }
  endRun()
  return shown
}

const Plain = memo(({ side }: { readonly side: Side }) => (
  <>
    <div className="review-block same" data-key={side.key}>
      <Content html={side.html} />
      <CommentButton side={side} />
    </div>
    <BlockTalk side={side} />
  </>
))

type ChangedProps = { readonly block: Changed; readonly layout: Layout }

const ChangedBlock = memo(function ChangedBlock({ block, layout }: ChangedProps) {
  const { kind, isMoved, before, after } = block
  const label = t(`review.kind.${kind === 'changed' && isMoved ? 'changedAndMoved' : kind}`)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a set of fields it is not */}
      <div
        className={`review-block ${kind}`}
        role="group"
        aria-label={label}
        data-change
        data-key={after?.key}
        tabIndex={-1}
      >
        <p className="review-block-label" aria-hidden>
          {ICONS[kind]}
          {label}
        </p>
        {before !== undefined && after !== undefined && kind === 'changed' ? (
          <Versions before={before} after={after} layout={layout} />
        ) : layout === 'two' ? (
          <div className="review-pair">
            <div>{before !== undefined && kind === 'removed' && <Removed side={before} />}</div>
            <div>
              {after !== undefined &&
                (kind === 'moved' ? <Content html={after.html} /> : <Added side={after} />)}
            </div>
          </div>
        ) : kind === 'removed' ? (
          before !== undefined && <Removed side={before} />
        ) : (
          after !== undefined && (kind === 'moved' ? <Content html={after.html} /> : <Added side={after} />)
        )}
        {after !== undefined && <CommentButton side={after} />}
      </div>
      {after !== undefined && <BlockTalk side={after} />}
    </>
  )
})

const ICONS: Readonly<Record<Changed['kind'], ReactNode>> = {
  added: <Plus size={14} aria-hidden />,
  removed: <Minus size={14} aria-hidden />,
  moved: <MoveRight size={14} aria-hidden />,
  changed: <Pencil size={14} aria-hidden />,
}

const Added = ({ side }: { readonly side: Side }) => (
  <div className="review-added">
    <Content html={side.html} />
  </div>
)

const Removed = ({ side }: { readonly side: Side }) => (
  <div className="review-removed">
    <Content html={side.html} />
  </div>
)

type VersionsProps = { readonly before: Side; readonly after: Side; readonly layout: Layout }

/** Word by word where both are built alike; otherwise one below the other. */
function Versions({ before, after, layout }: VersionsProps) {
  const merged = useMemo(
    () => (layout === 'one' ? mergeVersions(before.html, after.html) : undefined),
    [layout, before.html, after.html],
  )
  if (merged !== undefined) return <Content html={merged} />
  return (
    <div className={layout === 'two' ? 'review-pair' : 'review-stack'}>
      <div className="review-old">
        <Content html={before.html} />
      </div>
      <div className="review-new">
        <Content html={after.html} />
      </div>
    </div>
  )
}

const Content = ({ html }: { readonly html: string }) => <Markup html={html} />
