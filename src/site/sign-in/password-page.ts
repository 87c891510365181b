// The page behind a link that lets somebody choose a password.
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../../api/sessions/passwords.ts'
import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from './page.ts'
import { PASSWORD_WORDS, type PasswordWords } from './password-words.ts'

export type PasswordPage = {
  readonly shell: Shell
  readonly language: Language
  readonly formToken: string
  /** POST target; contains the secret of the link. */
  readonly action: string
  readonly email: string
  /** By an admin of an organization, who made the link; null: by mail or by the operator. */
  readonly invited: { readonly title: string; readonly inviter: string } | null
  readonly problem: string | null
}

export function renderPasswordPage(page: PasswordPage): string {
  const { shell, language, formToken, action, email, invited, problem } = page
  const words = PASSWORD_WORDS[language]
  const refused = problem === null ? null : { words: problem }
  return renderDocument({
    shell,
    space: null,
    title: problem === null ? words.choose : `${words.choose}: ${words.error}`,
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card">
<h1>${words.choose}</h1>
${
  invited === null
    ? html`<p class="sign-in-lead">${words.chooseLead}</p>`
    : html`<p class="sign-in-lead">${words.invited(renderName(invited.inviter), renderName(invited.title))}</p>`
}
<form class="fields" action="${action}" method="post">
${refused !== null && renderProblem('password', refused.words)}
<label for="reader:email">${words.email}</label>
<input id="reader:email" type="text" value="${email}" readonly autocomplete="username">
${renderNewPassword(refused, true, words)}
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit">${words.save}</button>
</form>
</div>
</main>`,
  })
}

const renderName = (name: string): Html => html`<strong dir="auto">${name}</strong>`

/** Two fields, because the typed password is hidden. */
export const renderNewPassword = (
  refused: { readonly words: string } | null,
  isFirst: boolean,
  words: PasswordWords,
): Html => html`<label for="reader:new">${words.newPassword}</label>
<input id="reader:new" type="password" name="password" required autocomplete="new-password" minlength="${PASSWORD_CHARACTERS_MIN}" maxlength="${PASSWORD_CHARACTERS_MAX}"${isFirst && html` autofocus`} aria-describedby="reader:rule${refused !== null && ' reader:problem-password'}"${refused !== null && html` aria-invalid="true"`}>
<p class="sign-in-hint" id="reader:rule">${words.rule}</p>
<label for="reader:repeat">${words.repeat}</label>
<input id="reader:repeat" type="password" name="repeat" required autocomplete="new-password" minlength="${PASSWORD_CHARACTERS_MIN}" maxlength="${PASSWORD_CHARACTERS_MAX}"${describedBy('password', refused)}>`
