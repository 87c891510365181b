// The blocks of the page that is shown, by the keys that comments name: which one is in focus, under the pointer, or
// talked about.
import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Comment } from '../../data/comments.ts'

export type Blocks = {
  /** The element of a block; undefined if the page has none of this key any more. */
  find(key: string): HTMLElement | undefined
  /** Where it begins, from the top of the screen's content. */
  topOf(key: string): number | undefined
  /** The block that has the focus, holds the selection or is under the pointer. */
  keyInFocus(): string | undefined
  /** To the next block, or with -1 to the one before. */
  move(by: 1 | -1): void
  show(key: string): void
  /** Its first words. */
  wordsOf(key: string): string
  point(event: PointerEvent | FocusEvent): void
  unpoint(): void
  /** Changes when the page is laid out anew. */
  readonly layout: number
}

const WORDS_MAX = 80
const ATTRIBUTE = 'data-block'
const TALKED_ABOUT = 'data-threads'

type PageBlocks = {
  /** Stays the same while the page does: what is drawn from it is not drawn again as the pointer moves. */
  readonly blocks: Blocks
  /** The block under the pointer. */
  readonly pointed: string | undefined
}

export function useBlocks(
  box: RefObject<HTMLDivElement | null>,
  html: string | undefined,
  threads: readonly Comment[],
): PageBlocks {
  const [pointed, setPointed] = useState<string>()
  const lastPointed = useRef<string>(undefined)
  const [layout, setLayout] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other HTML has other blocks
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    for (const block of listBlocks(current)) block.tabIndex = -1
    const observer = new ResizeObserver(() => setLayout(before => before + 1))
    observer.observe(current)
    return () => observer.disconnect()
  }, [box, html])
  useLayoutEffect(() => {
    const { current } = box
    if (current === null || html === undefined) return
    const keys = new Set(threads.map(({ target }) => target.node?.id))
    for (const block of listBlocks(current))
      block.toggleAttribute(TALKED_ABOUT, keys.has(block.getAttribute(ATTRIBUTE) ?? ''))
  }, [box, html, threads])

  const find = useCallback(
    (key: string) =>
      box.current?.querySelector<HTMLElement>(`[${ATTRIBUTE}="${CSS.escape(key)}"]`) ?? undefined,
    [box],
  )
  const note = useCallback((key: string | undefined) => {
    lastPointed.current = key
    setPointed(key)
  }, [])
  const blocks = useMemo<Blocks>(
    () => ({
      find,
      topOf(key) {
        const block = find(key)
        return block === undefined ? undefined : block.getBoundingClientRect().top + scrollY
      },
      keyInFocus() {
        const { focusNode, isCollapsed } = getSelection() ?? {}
        const selected = isCollapsed === false ? keyOf(focusNode?.parentElement, box.current) : undefined
        return keyOf(document.activeElement, box.current) ?? selected ?? lastPointed.current
      },
      move(by) {
        const blocks = listBlocks(box.current)
        const key = keyOf(document.activeElement, box.current)
        const at = blocks.findIndex(block => block.getAttribute(ATTRIBUTE) === key)
        const next = at === -1 ? (by === 1 ? 0 : blocks.length - 1) : at + by
        focusOn(blocks[next])
      },
      show(key) {
        focusOn(find(key))
      },
      wordsOf(key) {
        const copy = find(key)?.cloneNode(true)
        if (!(copy instanceof Element)) return ''
        for (const mark of copy.querySelectorAll('.anchor')) mark.remove()
        const words = copy.textContent.trim().replace(/\s+/g, ' ')
        return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX).toWellFormed()}…` : words
      },
      point: event => {
        const key = keyOf(event.target instanceof Element ? event.target : null, box.current)
        if (key !== undefined) note(key)
      },
      unpoint: () => note(undefined),
      layout,
    }),
    [box, find, note, layout],
  )
  return { blocks, pointed }
}

const listBlocks = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>(`[${ATTRIBUTE}]`) ?? []),
]

function keyOf(element: Element | null | undefined, box: HTMLElement | null): string | undefined {
  const block = element?.closest(`[${ATTRIBUTE}]`)
  if (block == null || box?.contains(block) !== true) return undefined
  return block.getAttribute(ATTRIBUTE) ?? undefined
}

function focusOn(block: HTMLElement | undefined): void {
  block?.focus({ preventScroll: true })
  block?.scrollIntoView({ block: 'nearest' })
}
