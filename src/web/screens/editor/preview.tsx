// The text as readers will see it.
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react'
import type { Previewed } from '../../data/page-text.ts'
import { emojiOf } from '../../data/pages.ts'
import { useStore } from '../../data/store.ts'
import type { PagePreview } from '../../editor/page-preview.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'
import { Content } from '../../parts/content.tsx'
import { Failed, Skeleton } from '../../parts/state.tsx'

const CoverPicture = lazy(() => import('./cover-picture.tsx'))

type Props = {
  readonly writing: PageWriting
  readonly preview: PagePreview
  readonly language: string | undefined
}

export function Preview({ writing, preview, language }: Props) {
  const { title, description, emoji, cover, layout } = useStore(writing.fields)
  const place = useStore(writing.place)
  const { last, error } = useStore(preview.shown)
  const html = last?.html
  const box = useScrolledAlong(preview)
  return (
    <section ref={box} className="editor-preview" aria-label={t('editor.preview')}>
      <article className="page">
        {cover !== null && layout.cover && (
          <Suspense>
            <CoverPicture cover={cover} place={place} />
          </Suspense>
        )}
        <header className="page-head">
          <h2 dir="auto">
            {emojiOf(emoji) !== undefined && <span aria-hidden="true">{emojiOf(emoji)} </span>}
            {title}
          </h2>
          {description !== '' && (
            <p className="page-lead" dir="auto">
              {description}
            </p>
          )}
        </header>
        {error !== undefined && <Failed error={error} onRetry={() => preview.retry()} />}
        {html === undefined && error === undefined && <Skeleton lines={10} />}
        {html !== undefined && <Content html={html} {...(language === undefined ? {} : { language })} />}
      </article>
    </section>
  )
}

/** Where it scrolls by itself, beside the text, it shows what the text does. */
function useScrolledAlong(preview: PagePreview): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  useEffect(
    () =>
      preview.topLine.subscribe(() => {
        const { current } = box
        const { last } = preview.shown.get()
        if (current !== null && last !== undefined)
          current.scrollTop = placeOf(current, last.blocks, preview.topLine.get())
      }),
    [preview],
  )
  return box
}

/** Between the block that a line is of and the next one, in proportion. */
function placeOf(box: HTMLElement, blocks: Previewed['blocks'], line: number): number {
  const at = blocks.findLastIndex(block => block.line <= line)
  const [block, next] = [blocks[at], blocks[at + 1]]
  const top = topOf(box, block)
  if (block === undefined || top === undefined) return line === 0 ? 0 : box.scrollTop
  const nextTop = topOf(box, next)
  if (next === undefined || nextTop === undefined) return top
  return top + ((line - block.line) / (next.line - block.line)) * (nextTop - top)
}

/** Undefined for a block that shows nothing. */
function topOf(box: HTMLElement, block: Previewed['blocks'][number] | undefined): number | undefined {
  const shown = block && box.querySelector(`[data-block="${CSS.escape(block.key)}"]`)
  if (!shown) return undefined
  return shown.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop - ABOVE
}

/** In pixels. */
const ABOVE = 16
