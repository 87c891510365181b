// The form in which people confirm who they are.
import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { WORDS } from '../sign-in/factor-words.ts'
import { describedBy, renderProblem } from '../sign-in/page.ts'
import { renderPasskeyForm } from '../sign-in/passkey-form.ts'

export const CONFIRM_PATH = '/account/confirm'

export type ConfirmPage = {
  readonly shell: Shell
  readonly language: Language
  readonly formToken: string
  readonly next: string
  readonly email: string
  readonly by: 'password' | 'token' | 'passkey'
  /** What the browser is asked for a passkey; null where none works. */
  readonly passkeyOptions: object | null
  readonly problem: string | null
}

export function renderConfirm(page: ConfirmPage): string {
  const { shell, language, by, problem } = page
  const words = WORDS[language]
  return renderDocument({
    shell,
    space: null,
    title: problem === null ? words.confirmTitle : `${words.confirmTitle}: ${words.error}`,
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card">
<h1>${words.confirmTitle}</h1>
<p class="sign-in-lead">${words.confirmLead}</p>
${by === 'passkey' ? renderPasskey(page) : renderSecret(page, by)}
</div>
</main>`,
  })
}

function renderSecret(
  { language, formToken, next, email, problem }: ConfirmPage,
  by: 'password' | 'token',
): Html {
  const words = WORDS[language]
  const refused = problem === null ? null : {}
  return html`<form class="fields" action="${CONFIRM_PATH}" method="post">
${problem !== null && renderProblem('confirm', problem)}
${by === 'password' && html`<input type="text" name="username" value="${email}" autocomplete="username" hidden>`}
<label for="reader:proof">${words[by]}</label>
<input id="reader:proof" type="password" name="proof" required autofocus autocomplete="${by === 'password' ? 'current-password' : 'off'}" maxlength="512"${describedBy('confirm', refused)}>
<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="next" value="${next}">
<button class="button button-primary" type="submit">${words.confirm}</button>
</form>`
}

function renderPasskey({ shell, language, formToken, next, passkeyOptions, problem }: ConfirmPage): Html {
  const words = WORDS[language]
  return html`${problem !== null && renderProblem('confirm', problem)}
${
  passkeyOptions === null
    ? html`<p>${words.passkeyNowhere}</p>`
    : renderPasskeyForm(
        {
          script: shell.assets.passkeys,
          action: CONFIRM_PATH,
          does: 'get',
          options: passkeyOptions,
          label: words.confirmPasskey,
          isPrimary: true,
          fields: { form: formToken, next },
        },
        words,
      )
}`
}
