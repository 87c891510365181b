// HTML that the server made and sanitised. Nothing else becomes markup: the policy of the page takes it from here alone.
import { useLayoutEffect, useRef } from 'react'
import { t } from '../messages/messages.ts'

type Sanitised = { readonly createHTML: (html: string) => string }
type Factory = { readonly createPolicy: (name: string, rules: Sanitised) => Sanitised }

const rules: Sanitised = { createHTML: html => html }
// Browsers without Trusted Types take the text itself.
const policy = (window as { trustedTypes?: Factory }).trustedTypes?.createPolicy('octavo', rules) ?? rules

/** Classes of what is written. Anyone who sees it here may mend what is broken in it. */
export const CONTENT = 'content marks-broken'

/** `html` is an answer of the API. What scripts add to the elements stays as long as it is the same. */
export function Markup({ html }: { readonly html: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = readMarkup(html)
    sayWhatIsBroken(content)
    place.current?.replaceChildren(content)
  }, [html])
  return <div ref={place} className={CONTENT} />
}

/** The server says it in English. */
export function sayWhatIsBroken(content: ParentNode): void {
  for (const picture of content.querySelectorAll<HTMLElement>('.missing-image'))
    picture.title = t('content.missingFile')
  for (const link of content.querySelectorAll<HTMLElement>('.broken, .card-note[title]'))
    link.title = t('content.missingTarget')
}

/** What an answer of the API says, to be read and taken apart: nothing of it is loaded or runs. */
export function readMarkup(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(html)
  return template.content
}
