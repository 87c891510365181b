// Asks before signing in somebody whom another site sent here. The owner of an identity provider decides who people are
// said to be: without this question, a browser could be made to continue as somebody else.

import { html } from '../../base/html.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'

export type ConfirmPage = {
  readonly shell: Shell
  /** The same address, followed from this page. */
  readonly href: string
  /** The label of the identity provider on the sign-in page. */
  readonly label: string
  readonly organization: string
  /** Its address. */
  readonly host: string
}

export function renderConfirmPage({ shell, href, label, organization, host }: ConfirmPage): string {
  const title = `Sign in to ${organization}?`
  return renderDocument({
    shell,
    space: null,
    title,
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1">
<div class="sign-in-card">
<h1 dir="auto">${title}</h1>
<p class="sign-in-lead">Another site sent you here. You will be signed in as the person <strong>${host}</strong> says you are${
      shell.visitor !== null && html`, and no longer as <strong dir="auto">${shell.visitor.name}</strong>`
    }.</p>
<p><a class="button button-primary" href="${href}">Sign in with ${label}</a></p>
<p class="sign-in-hint">If you did not mean to sign in, you can close this page.</p>
</div>
</main>`,
  })
}
