// Says why a program cannot be allowed, with a way back to it where that is known to be one.
import { html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'

export type RefusalPage = {
  readonly shell: Shell
  readonly language: Language
  readonly title: string
  readonly words: string
  readonly back: { readonly href: string; readonly label: string } | null
}

export const renderRefusal = ({ shell, language, title, words, back }: RefusalPage): string =>
  renderDocument({
    shell,
    space: null,
    title,
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card consent">
<h1>${title}</h1>
<p>${words}</p>
${back !== null && html`<p><a class="button" href="${back.href}" rel="noreferrer">${back.label}</a></p>`}
</div>
</main>`,
  })
