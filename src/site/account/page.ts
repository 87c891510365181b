// The page of the password, and of the email address that it proves. No operation sets a password, so it has no screen in
// the workspace, which leads here.
import { type Html, html } from '../../base/html.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from '../sign-in/page.ts'
import { renderNewPassword } from '../sign-in/password-page.ts'

export type AccountPage = {
  readonly shell: Shell
  readonly formToken: string
  readonly name: string
  readonly email: string
  readonly hasPassword: boolean
  /** Whether the email address is known to be theirs. */
  readonly isVerified: boolean
  /** Whether emails with a link to choose a password are sent. */
  readonly sendsMail: boolean
  /** Why a password would be of no use to them; null if it is. */
  readonly closed: string | null
  /** Why this session may not change the account; null if it may. */
  readonly limit: string | null
  /** The result of the submitted form. */
  readonly outcome: Outcome | null
}

export type Outcome =
  | { readonly isDone: true; readonly words: string }
  | { readonly isDone: false; readonly words: string; readonly form: 'password' | 'reset-mail' }

export function renderAccount(page: AccountPage): string {
  const { shell, name, email, limit, outcome } = page
  return renderDocument({
    shell,
    space: null,
    title: outcome?.isDone === false ? 'Your password: error' : 'Your password',
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="account" id="${CONTENT_ID}" tabindex="-1">
<h1>Your password</h1>
<p><a href="/w/me">Your account</a></p>
<p class="lead"><span dir="auto">${name}</span>, <span dir="auto">${email}</span></p>
${outcome?.isDone === true && html`<p class="done" role="status">${icon('circle-check')}<span>${outcome.words}</span></p>`}
${outcome?.isDone === false && outcome.form === 'reset-mail' && renderProblem('reset-mail', outcome.words)}
${limit === null ? renderWhole(page) : html`<p class="account-limit">${limit}</p>`}
</main>`,
  })
}

const renderWhole = (
  page: AccountPage,
): Html => html`${!page.isVerified && page.closed === null && renderUnverified(page)}
${renderPassword(page)}`

/** The email has a link to choose a password: following it proves that the address works. */
function renderUnverified(page: AccountPage): Html {
  return html`<section class="account-part" aria-labelledby="reader:address-title">
<h2 id="reader:address-title">Email address</h2>
<p><strong dir="auto">${page.email}</strong> is not verified, so you cannot join an organization through its email domain. ${
    page.sendsMail
      ? 'To verify it, have an email sent to it and choose a password with the link inside.'
      : 'To verify it, ask an administrator of this server for a link, and choose a password with it.'
  }</p>
${page.sendsMail && renderResetMailForm(page, 'Send verification email')}
</section>`
}

const renderResetMailForm = (
  { formToken }: AccountPage,
  label: string,
): Html => html`<form action="/account/reset-mail" method="post">
<input type="hidden" name="form" value="${formToken}">
<button class="button" type="submit">${label}</button>
</form>`

function renderPassword(page: AccountPage): Html {
  const { formToken, hasPassword, email, outcome } = page
  const refused = outcome?.isDone === false && outcome.form === 'password' ? outcome : null
  return html`<section class="account-part" aria-labelledby="reader:password-title">
<h2 id="reader:password-title">Change it</h2>
${
  hasPassword
    ? html`<p>Changing it signs you out in all other browsers.</p>
<form class="fields" action="/account/password" method="post">
${refused !== null && renderProblem('password', refused.words)}
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
<label for="reader:current">Current password</label>
<input id="reader:current" type="password" name="current" required autocomplete="current-password" maxlength="256"${describedBy('password', refused)}>
${renderNewPassword(refused, false)}
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit">Change password</button>
</form>`
    : renderNoPassword(page)
}
</section>`
}

function renderNoPassword(page: AccountPage): Html {
  if (page.closed !== null) return html`<p>You do not have a password. ${page.closed}</p>`
  if (!page.sendsMail)
    return html`<p>You do not have a password. Ask an administrator of this server for a link to choose one.</p>`
  return html`<p>You do not have a password. We can email you a link to choose one.</p>
${renderResetMailForm(page, 'Email me a link')}`
}
