// The page behind a link that lets somebody choose a password.
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../../api/sessions/passwords.ts'
import { type Html, html } from '../../base/html.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from './page.ts'

export type PasswordPage = {
  readonly shell: Shell
  readonly formToken: string
  /** POST target; contains the secret of the link. */
  readonly action: string
  readonly email: string
  /** By an admin of an organization, who made the link; null: by mail or by the operator. */
  readonly invited: { readonly title: string; readonly inviter: string } | null
  readonly problem: string | null
}

export function renderPasswordPage(page: PasswordPage): string {
  const { shell, formToken, action, email, invited, problem } = page
  const refused = problem === null ? null : { words: problem }
  return renderDocument({
    shell,
    space: null,
    title: problem === null ? 'Choose a password' : 'Choose a password: error',
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1">
<div class="sign-in-card">
<h1>Choose a password</h1>
${
  invited === null
    ? html`<p class="sign-in-lead">You will be signed in here, and signed out everywhere else.</p>`
    : html`<p class="sign-in-lead"><strong dir="auto">${invited.inviter}</strong> invited you to <strong dir="auto">${invited.title}</strong>. With a password you are signed in at once, and come back any time.</p>`
}
<form class="fields" action="${action}" method="post">
${refused !== null && renderProblem('password', refused.words)}
<label for="reader:email">Email address</label>
<input id="reader:email" type="text" value="${email}" readonly autocomplete="username">
${renderNewPassword(refused, true)}
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit">Save password</button>
</form>
</div>
</main>`,
  })
}

/** Two fields, because the typed password is hidden. */
export const renderNewPassword = (
  refused: { readonly words: string } | null,
  isFirst: boolean,
): Html => html`<label for="reader:new">New password</label>
<input id="reader:new" type="password" name="password" required autocomplete="new-password" minlength="${PASSWORD_CHARACTERS_MIN}" maxlength="${PASSWORD_CHARACTERS_MAX}"${isFirst && html` autofocus`} aria-describedby="reader:rule${refused !== null && ' reader:problem-password'}"${refused !== null && html` aria-invalid="true"`}>
<p class="sign-in-hint" id="reader:rule">At least ${PASSWORD_CHARACTERS_MIN} characters. A few unrelated words make a good password.</p>
<label for="reader:repeat">Confirm password</label>
<input id="reader:repeat" type="password" name="repeat" required autocomplete="new-password" minlength="${PASSWORD_CHARACTERS_MIN}" maxlength="${PASSWORD_CHARACTERS_MAX}"${describedBy('password', refused)}>`
