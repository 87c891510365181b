// The page for a forgotten password: a form for an email address, and the answer once it was sent.

import { REQUESTED_LINK_HOURS_MAX } from '../../api/sessions/password-links.ts'
import { RESET_MAILS_MAX } from '../../api/sessions/password-reset.ts'
import { type Html, html } from '../../base/html.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from './page.ts'

export type PasswordResetPage =
  | {
      readonly kind: 'form'
      readonly formToken: string
      readonly email: string
      readonly problem: { readonly words: string } | null
    }
  /** The same answer whether or not an account has the address. */
  | { readonly kind: 'sent' }
  /** This server sends no emails. */
  | { readonly kind: 'mailless' }

export function renderPasswordResetPage(shell: Shell, page: PasswordResetPage): string {
  const isRefused = page.kind === 'form' && page.problem !== null
  return renderDocument({
    shell,
    space: null,
    title: isRefused ? `${TITLES.form} – error` : TITLES[page.kind],
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1">
<div class="sign-in-card">
<h1>${TITLES[page.kind]}</h1>
${renderPart(page)}
<p class="sign-in-hint"><a href="/sign-in">Sign in</a></p>
</div>
</main>`,
  })
}

const TITLES: Readonly<Record<PasswordResetPage['kind'], string>> = {
  form: 'Forgot your password?',
  sent: 'Check your email',
  mailless: 'Forgot your password?',
}

function renderPart(page: PasswordResetPage): Html {
  if (page.kind === 'form') return renderForm(page)
  if (page.kind === 'sent')
    return html`<p class="sign-in-lead" role="status">If there is an account with this address, an email is on its way. The link in it works once, within ${REQUESTED_LINK_HOURS_MAX} hours.</p>
<p class="sign-in-hint">No email? Check your spam folder, and that you typed the address your account has here. We send at most ${RESET_MAILS_MAX} emails an hour to one address.</p>`
  return html`<p class="sign-in-lead">This server does not send email. Ask its administrator for a link to choose a password: <code>octavo password-link you@example.com</code> prints one.</p>`
}

const renderForm = ({
  formToken,
  email,
  problem,
}: PasswordResetPage & {
  kind: 'form'
}): Html => html`<p class="sign-in-lead">We will email you a link to choose a new one. Until you do, your current password keeps working.</p>
<form class="fields" action="/password" method="post">
${problem !== null && renderProblem('reset-mail', problem.words)}
<label for="reader:email">Email address</label>
<input id="reader:email" type="text" inputmode="email" name="email" value="${email}" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" autofocus${describedBy('reset-mail', problem)}>
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit">Send link</button>
</form>`
