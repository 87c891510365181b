// HTML that the server made and sanitised. Nothing else becomes markup: the policy of the page takes it from here alone.
import { useId, useLayoutEffect, useRef } from 'react'
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
  const own = useId()
  useLayoutEffect(() => {
    const content = readMarkup(html)
    sayWhatIsBroken(content)
    separateChoices(content, own)
    place.current?.replaceChildren(content)
  }, [html, own])
  return <div ref={place} className={CONTENT} />
}

/**
 * Tabs and requests in several languages are chosen by radio buttons, which are named by where they are in their text.
 * Several texts may be on a screen: what is chosen in one would be chosen in the others. `prefix` is that of the text.
 */
export function separateChoices(content: ParentNode, prefix: string): void {
  const choices = content.querySelectorAll<HTMLInputElement>('input[type="radio"]')
  for (const [at, choice] of choices.entries()) {
    const label = choice.nextElementSibling
    if (!(label instanceof HTMLLabelElement)) continue
    choice.name = `${prefix}${choice.name}`
    choice.id = `${prefix}.${at}`
    label.htmlFor = choice.id
    label.id = `${choice.id}.label`
    label.nextElementSibling?.setAttribute('aria-labelledby', label.id)
  }
}

/** The server says it in English. */
export function sayWhatIsBroken(content: ParentNode): void {
  for (const picture of content.querySelectorAll<HTMLElement>('.missing-image'))
    picture.title = t('content.missingFile')
  for (const link of content.querySelectorAll<HTMLElement>('.broken, .card-note[title]'))
    link.title = t('content.missingTarget')
}

/**
 * What an answer of the API says, or the clipboard, to be read and taken apart: nothing of it is loaded or runs. What the
 * clipboard says is never shown.
 */
export function readMarkup(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(html)
  return template.content
}
