// The page for a forgotten password: a form for an email address, and the answer once it was sent.

import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from './page.ts'
import { PASSWORD_WORDS, type PasswordWords } from './password-words.ts'

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

export function renderPasswordResetPage(shell: Shell, language: Language, page: PasswordResetPage): string {
  const words = PASSWORD_WORDS[language]
  const title = page.kind === 'sent' ? words.sent : words.forgot
  const isRefused = page.kind === 'form' && page.problem !== null
  return renderDocument({
    shell,
    space: null,
    title: isRefused ? `${title} – ${words.error}` : title,
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card">
<h1>${title}</h1>
${renderPart(page, words)}
<p class="sign-in-hint"><a href="/sign-in">${words.signIn}</a></p>
</div>
</main>`,
  })
}

function renderPart(page: PasswordResetPage, words: PasswordWords): Html {
  if (page.kind === 'form') return renderForm(page, words)
  if (page.kind === 'sent')
    return html`<p class="sign-in-lead" role="status">${words.sentLead}</p>
<p class="sign-in-hint">${words.sentHint}</p>`
  return html`<p class="sign-in-lead">${words.mailless} ${words.prints} <code>octavo password-link you@example.com</code></p>`
}

const renderForm = (
  { formToken, email, problem }: PasswordResetPage & { kind: 'form' },
  words: PasswordWords,
): Html => html`<p class="sign-in-lead">${words.forgotLead}</p>
<form class="fields" action="/password" method="post">
${problem !== null && renderProblem('reset-mail', problem.words)}
<label for="reader:email">${words.email}</label>
<input id="reader:email" type="text" inputmode="email" name="email" value="${email}" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" autofocus${describedBy('reset-mail', problem)}>
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit">${words.sendLink}</button>
</form>`
