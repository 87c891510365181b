// The second page of signing in: for a code, a passkey or a recovery code.
import type { Factor } from '../../access/principal.ts'
import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { WORDS } from './factor-words.ts'
import { describedBy, renderProblem } from './page.ts'
import { renderPasskeyForm } from './passkey-form.ts'

export const STEP_PATH = '/sign-in/second-factor'

export type StepPage = {
  readonly shell: Shell
  readonly language: Language
  readonly formToken: string
  readonly next: string
  readonly hasTotp: boolean
  /** What the browser is asked for a passkey; null: none is set up, or none works at this address. */
  readonly passkeyOptions: object | null
  readonly hasCodes: boolean
  readonly problem: { readonly kind: Factor; readonly words: string } | null
}

export function renderStep(page: StepPage): string {
  const { shell, language, problem } = page
  const words = WORDS[language]
  return renderDocument({
    shell,
    space: null,
    title: problem === null ? words.stepTitle : `${words.stepTitle}: ${words.error}`,
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card">
<h1>${words.stepTitle}</h1>
<p class="sign-in-lead">${words.stepLead}</p>
${renderPasskey(page)}
${page.hasTotp && renderCode(page)}
${page.hasCodes && renderRecovery(page)}
<p class="sign-in-hint">${words.lost} <a href="/sign-in">${words.back}</a></p>
</div>
</main>`,
  })
}

function renderPasskey({
  shell,
  language,
  formToken,
  next,
  passkeyOptions,
  problem,
  hasTotp,
}: StepPage): Html {
  const words = WORDS[language]
  return html`${problem?.kind === 'passkey' && renderProblem('passkey', problem.words)}
${
  passkeyOptions !== null &&
  renderPasskeyForm(
    {
      script: shell.assets.passkeys,
      action: STEP_PATH,
      does: 'get',
      options: passkeyOptions,
      label: words.usePasskey,
      isPrimary: !hasTotp,
      fields: { form: formToken, next, kind: 'passkey' },
    },
    words,
  )
}`
}

function renderCode({ language, formToken, next, problem }: StepPage): Html {
  const words = WORDS[language]
  const refused = problem?.kind === 'totp' ? problem : null
  return html`<form class="fields" action="${STEP_PATH}" method="post">
${refused !== null && renderProblem('totp', refused.words)}
<label for="reader:code">${words.code}</label>
<input id="reader:code" class="code" type="text" name="code" required inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="16"${(problem === null || refused !== null) && html` autofocus`}${describedBy('totp', refused)}>
<p class="sign-in-hint">${words.codeHint}</p>
${hidden(formToken, next, 'totp')}
<button class="button button-primary" type="submit">${words.verify}</button>
</form>`
}

function renderRecovery({ language, formToken, next, problem }: StepPage): Html {
  const words = WORDS[language]
  const refused = problem?.kind === 'recovery_code' ? problem : null
  return html`<details class="sign-in-other"${refused !== null && html` open`}>
<summary>${words.useRecovery}</summary>
<form class="fields" action="${STEP_PATH}" method="post">
${refused !== null && renderProblem('recovery_code', refused.words)}
<label for="reader:recovery">${words.recovery}</label>
<input id="reader:recovery" class="code" type="text" name="code" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="32"${refused !== null && html` autofocus`}${describedBy('recovery_code', refused)}>
${hidden(formToken, next, 'recovery_code')}
<button class="button" type="submit">${words.signInRecovery}</button>
</form>
</details>`
}

const hidden = (formToken: string, next: string, kind: Factor): Html =>
  html`<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="next" value="${next}"><input type="hidden" name="kind" value="${kind}">`
