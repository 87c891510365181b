// The page of the password, and of the email address that it proves. No operation sets a password, so it has no screen in
// the workspace, which leads here.
import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from '../sign-in/page.ts'
import { renderNewPassword } from '../sign-in/password-page.ts'
import { PASSWORD_WORDS, type PasswordWords } from '../sign-in/password-words.ts'

export type AccountPage = {
  readonly shell: Shell
  readonly language: Language
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
  const { shell, language, name, email, limit, outcome } = page
  const words = PASSWORD_WORDS[language]
  return renderDocument({
    shell,
    space: null,
    title: outcome?.isDone === false ? `${words.title}: ${words.error}` : words.title,
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="account" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<h1>${words.title}</h1>
<p><a href="/w/me">${words.account}</a></p>
<p class="lead"><span dir="auto">${name}</span>, <span dir="auto">${email}</span></p>
${outcome?.isDone === true && html`<p class="done" role="status">${icon('circle-check')}<span>${outcome.words}</span></p>`}
${outcome?.isDone === false && outcome.form === 'reset-mail' && renderProblem('reset-mail', outcome.words)}
${limit === null ? renderWhole(page, words) : html`<p class="account-limit">${limit}</p>`}
</main>`,
  })
}

const renderWhole = (
  page: AccountPage,
  words: PasswordWords,
): Html => html`${!page.isVerified && page.closed === null && renderUnverified(page, words)}
${renderPassword(page, words)}`

/** The email has a link to choose a password: following it proves that the address works. */
function renderUnverified(page: AccountPage, words: PasswordWords): Html {
  return html`<section class="account-part" aria-labelledby="reader:address-title">
<h2 id="reader:address-title">${words.email}</h2>
<p>${words.unverified(html`<strong dir="auto">${page.email}</strong>`)} ${page.sendsMail ? words.verifyByMail : words.verifyByLink}</p>
${page.sendsMail && renderResetMailForm(page, words.sendVerification)}
</section>`
}

const renderResetMailForm = (
  { formToken }: AccountPage,
  label: string,
): Html => html`<form action="/account/reset-mail" method="post">
<input type="hidden" name="form" value="${formToken}">
<button class="button" type="submit">${label}</button>
</form>`

function renderPassword(page: AccountPage, words: PasswordWords): Html {
  const { formToken, hasPassword, email, outcome } = page
  const refused = outcome?.isDone === false && outcome.form === 'password' ? outcome : null
  return html`<section class="account-part" aria-labelledby="reader:password-title">
<h2 id="reader:password-title">${words.change}</h2>
${
  hasPassword
    ? html`<p>${words.changeLead}</p>
<form class="fields" action="/account/password" method="post">
${refused !== null && renderProblem('password', refused.words)}
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
<label for="reader:current">${words.current}</label>
<input id="reader:current" type="password" name="current" required autocomplete="current-password" maxlength="256"${describedBy('password', refused)}>
${renderNewPassword(refused, false, words)}
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit">${words.changePassword}</button>
</form>`
    : renderNoPassword(page, words)
}
</section>`
}

function renderNoPassword(page: AccountPage, words: PasswordWords): Html {
  if (page.closed !== null) return html`<p>${words.none} ${page.closed}</p>`
  if (!page.sendsMail) return html`<p>${words.none} ${words.noneMailless}</p>`
  return html`<p>${words.none} ${words.noneMailed}</p>
${renderResetMailForm(page, words.sendMeLink)}`
}
