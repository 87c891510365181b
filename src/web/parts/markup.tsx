// HTML that the server made and sanitised. Nothing else becomes markup: the policy of the page takes it from here alone.
import { createElement, useMemo } from 'react'

type Sanitised = { readonly createHTML: (html: string) => string }
type Factory = { readonly createPolicy: (name: string, rules: Sanitised) => Sanitised }

const rules: Sanitised = { createHTML: html => html }
// Browsers without Trusted Types take the text itself.
const policy = (window as { trustedTypes?: Factory }).trustedTypes?.createPolicy('octavo', rules) ?? rules

type Props = { readonly html: string; readonly className: string; readonly as?: 'div' | 'article' }

/** `html` is an answer of the API. What scripts add to the elements stays as long as it is the same. */
export function Markup({ html, className, as = 'div' }: Props) {
  const trusted = useMemo(() => ({ __html: policy.createHTML(html) }), [html])
  return createElement(as, { className, dangerouslySetInnerHTML: trusted })
}

/** What an answer of the API says, to be read and taken apart: nothing of it is loaded or runs. */
export function readMarkup(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(html)
  return template.content
}
