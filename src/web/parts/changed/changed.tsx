// A rendered text, in it what changed since another: added words underlined, removed ones struck.
import { useId, useLayoutEffect, useRef } from 'react'
import { CONTENT, readMarkup, sayWhatIsBroken, separateChoices } from '../markup.tsx'
import { markChanges } from './mark.ts'

type Props = {
  /** Both are answers of the API. Without the older one nothing is marked. */
  readonly before: string | undefined
  readonly after: string
}

export function Changed({ before, after }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const own = useId()
  useLayoutEffect(() => {
    const root = read(after)
    if (before !== undefined) markChanges(read(before), root)
    sayWhatIsBroken(root)
    separateChoices(root, own)
    place.current?.replaceChildren(...root.childNodes)
  }, [before, after, own])
  return <div ref={place} className={`${CONTENT} changed`} dir="auto" />
}

const NAMES = ['id', 'for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns']

/** Without names: the same text is in the page more than once. */
function read(html: string): HTMLElement {
  const fragment = readMarkup(html)
  const root = fragment.ownerDocument.createElement('div')
  root.append(fragment)
  for (const name of NAMES)
    for (const element of root.querySelectorAll(`[${name}]`)) element.removeAttribute(name)
  return root
}
