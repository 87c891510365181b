// The words of a block that a comment quotes: read from a selection, and found again to be shown.
import { createContext, useCallback, useContext, useEffect, useRef } from 'react'
import type { Range as Quoted } from '../data/comments.ts'

/** What is no text of the newer version. */
const APART = 'del, .review-old, .review-block-label, .review-comment, .anchor, .unseen, svg'

export function textsOf(block: Element): Text[] {
  const texts: Text[] = []
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text && node.parentElement?.closest(APART) == null) texts.push(node)
  return texts
}

/** Undefined where the block does not have the words any more. What stands around them tells apart words that are twice. */
function findQuote(block: Element, { quote, prefix = '', suffix = '' }: Quoted): Range | undefined {
  const texts = textsOf(block)
  const all = texts.map(({ data }) => data).join('')
  const exact = all.indexOf(prefix + quote + suffix)
  const start = exact >= 0 ? exact + prefix.length : all.indexOf(quote)
  if (start < 0) return undefined
  const range = document.createRange()
  let at = 0
  for (const text of texts) {
    const end = at + text.data.length
    if (start >= at && start < end) range.setStart(text, start - at)
    if (start + quote.length > at && start + quote.length <= end) {
      range.setEnd(text, start + quote.length - at)
      return range
    }
    at = end
  }
  return undefined
}

/** What a thread is about: words of a block, or the block. */
export type About = { readonly key: string; readonly range: Quoted | undefined }

/** Shows what a thread is about, or with null nothing. */
export const ShowAbout = createContext<((about: About | null) => void) | undefined>(undefined)

const MARK = 'quote'
const MARKED = 'data-quoted'

/** Words are marked without touching the text; in browsers that cannot, their block is. `find` stays the same. */
export function useShowAbout(find: (key: string) => Element | undefined): (about: About | null) => void {
  const marked = useRef<Element>(undefined)
  return useCallback(
    about => {
      marked.current?.removeAttribute(MARKED)
      CSS.highlights?.delete(MARK)
      const block = about === null ? undefined : find(about.key)
      marked.current = block
      if (about === null || block === undefined) return
      const words = about.range === undefined ? undefined : findQuote(block, about.range)
      if (words === undefined || CSS.highlights === undefined) block.setAttribute(MARKED, '')
      else CSS.highlights.set(MARK, new Highlight(words))
    },
    [find],
  )
}

/** For the element of a thread: what it is about shows while it has the pointer or the focus. */
export function useAboutShown(about: About | null) {
  const show = useContext(ShowAbout)
  const isShown = useRef(false)
  // A thread that is resolved goes while it has the pointer.
  useEffect(
    () => () => {
      if (isShown.current) show?.(null)
    },
    [show],
  )
  if (show === undefined || about === null) return {}
  const begin = () => {
    isShown.current = true
    show(about)
  }
  const end = () => {
    isShown.current = false
    show(null)
  }
  return { onPointerEnter: begin, onPointerLeave: end, onFocus: begin, onBlur: end }
}
