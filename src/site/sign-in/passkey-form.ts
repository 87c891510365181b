// A form that a passkey answers. The script shows it where the browser has passkeys, and sends what was signed.
import { type Hole, type Html, html } from '../../base/html.ts'
import { icon } from '../layout/icons.ts'
import type { Words } from './factor-words.ts'

export type PasskeyForm = {
  /** The address of the script. */
  readonly script: string
  readonly action: string
  readonly does: 'create' | 'get'
  /** What the browser is asked, as JSON. */
  readonly options: object
  readonly label: string
  readonly isPrimary: boolean
  /** Hidden fields. */
  readonly fields: Readonly<Record<string, string>>
  /** Shown before the button. */
  readonly before?: Hole
}

export const renderPasskeyForm = (
  form: PasskeyForm,
  words: Words,
): Html => html`<script type="module" src="${form.script}"></script>
<form class="fields" action="${form.action}" method="post" data-passkey="${form.does}" data-options="${JSON.stringify(form.options)}" hidden>
<p class="problem" role="alert" data-passkey-problem hidden>${icon('circle-exclamation')}<span>${words.passkeyFailed[form.does]}</span></p>
${form.before}
${Object.entries(form.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="answer" value="">
<button class="button${form.isPrimary && ' button-primary'}" type="submit">${icon('key')}${form.label}</button>
</form>
<noscript><p class="sign-in-hint">${words.noScript}</p></noscript>`
