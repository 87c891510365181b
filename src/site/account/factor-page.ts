// The page where people set up their second factor. What changes something is shown only after they have confirmed who
// they are.
import { renderSVG } from 'uqr'
import { type Factors, isSetUp, PASSKEY_NAME_CHARACTERS_MAX } from '../../api/sessions/factors.ts'
import type { PasskeyRow } from '../../api/sessions/passkey-rows.ts'
import { RECOVERY_CODES_FEW } from '../../api/sessions/recovery-codes.ts'
import type { TotpKey } from '../../api/sessions/totp.ts'
import { type Html, html, trusted } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import type { Shell } from '../layout/view.ts'
import { SETTINGS_PATH } from '../second-factor-href.ts'
import { WORDS, type Words } from '../sign-in/factor-words.ts'
import { describedBy, renderProblem } from '../sign-in/page.ts'
import { renderPasskeyForm } from '../sign-in/passkey-form.ts'

export type SettingsPage = {
  readonly shell: Shell
  readonly language: Language
  readonly formToken: string
  /** Where people came from; null: nowhere in particular. */
  readonly next: string | null
  readonly factors: Factors
  /** Why nothing can be changed here; null: it can. */
  readonly limit: string | null
  /** Leads to signing in with more than a token; null: it is not needed. */
  readonly signInHref: string | null
  /** Leads to confirming who one is; null: it is confirmed. */
  readonly confirmHref: string | null
  /** Of an app that is being set up. */
  readonly totpKey: TotpKey | null
  /** What the browser is asked for a new passkey; null where none works. */
  readonly passkeyOptions: object | null
  readonly outcome: Outcome | null
}

export type Outcome =
  | { readonly isDone: true; readonly words: string }
  | { readonly isDone: false; readonly words: string; readonly form: 'totp' | 'passkey' | 'other' }

export function renderSettings(page: SettingsPage): string {
  const { language, outcome, factors, limit, confirmHref, next, signInHref } = page
  const words = WORDS[language]
  return renderAccountPage(
    page,
    outcome?.isDone === false ? `${words.title}: ${words.error}` : words.title,
    html`<h1>${words.title}</h1>
<p><a href="/w/me">${words.account}</a></p>
<p class="lead">${words.lead}</p>
${outcome?.isDone === true && html`<p class="done" role="status">${icon('circle-check')}<span>${outcome.words}</span></p>`}
${outcome?.isDone === false && outcome.form === 'other' && renderProblem('other', outcome.words)}
<p class="factor-state">${isSetUp(factors) ? words.isOn : words.isOff}</p>
${
  limit === null &&
  factors.demandedBy.length > 0 &&
  !isSetUp(factors) &&
  html`<p class="factor-warning">${words.demanded(factors.demandedBy.map(({ title }) => title).join(', '))}</p>`
}
${limit !== null && html`<p class="account-limit">${limit}</p>`}
${signInHref !== null && html`<p><a class="button button-primary" href="${signInHref}">${words.signIn}</a></p>`}
${
  limit === null &&
  confirmHref !== null &&
  html`<p class="account-limit">${words.confirmFirst}</p>
<p><a class="button button-primary" href="${confirmHref}">${words.confirm}</a></p>`
}
${limit === null && renderParts(page, words)}
${next !== null && limit === null && isSetUp(factors) && html`<p><a class="button button-primary" href="${next}">${words.continue}</a></p>`}`,
  )
}

const renderAccountPage = (
  { shell, language }: Pick<SettingsPage, 'shell' | 'language'>,
  title: string,
  body: Html,
): string =>
  renderDocument({
    shell,
    space: null,
    title,
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="account" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
${body}
</main>`,
  })

const renderParts = (
  page: SettingsPage,
  words: Words,
): Html => html`<section class="account-part" aria-labelledby="reader:app-title">
<h2 id="reader:app-title">${words.app}</h2>
${renderApp(page, words)}
</section>
<section class="account-part" aria-labelledby="reader:passkeys-title">
<h2 id="reader:passkeys-title">${words.passkeys}</h2>
${renderPasskeys(page, words)}
</section>
<section class="account-part" aria-labelledby="reader:codes-title">
<h2 id="reader:codes-title">${words.codes}</h2>
${renderCodesLeft(page, words)}
</section>`

/** A form with one button. */
const renderAct = (page: SettingsPage, act: string, label: string, fields: Html | false): Html | false =>
  page.confirmHref === null &&
  html`<form action="${SETTINGS_PATH}" method="post">
${renderHidden(page, act)}${fields}
<button class="button" type="submit">${label}</button>
</form>`

const renderHidden = ({ formToken, next }: SettingsPage, act: string): Html =>
  html`<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="act" value="${act}">${next !== null && html`<input type="hidden" name="next" value="${next}">`}`

function renderApp(page: SettingsPage, words: Words): Html {
  const { factors, totpKey, confirmHref, outcome } = page
  if (factors.hasTotp)
    return html`<p>${words.appOn}</p>
${renderAct(page, 'remove-app', words.appRemove, false)}`
  if (totpKey === null || confirmHref !== null)
    return html`<p>${words.appText}</p>
${renderAct(page, 'begin-app', words.appBegin, false)}`
  const refused = outcome?.isDone === false && outcome.form === 'totp' ? outcome : null
  return html`<p>${words.appScan}</p>
<div class="factor-qr" role="img" aria-label="${words.appQr}">${trusted(renderSVG(totpKey.address, { border: 2 }))}</div>
<p>${words.appKey}: <span class="factor-key">${totpKey.text}</span></p>
<form class="fields" action="${SETTINGS_PATH}" method="post">
${refused !== null && renderProblem('totp', refused.words)}
<label for="reader:code">${words.code}</label>
<input id="reader:code" class="code" type="text" name="code" required inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="16" autofocus${describedBy('totp', refused)}>
${renderHidden(page, 'confirm-app')}
<button class="button button-primary" type="submit">${words.appConfirm}</button>
</form>`
}

function renderPasskeys(page: SettingsPage, words: Words): Html {
  const { factors, passkeyOptions, confirmHref, outcome } = page
  return html`<p>${words.passkeysText}</p>
${factors.passkeys.length > 0 && html`<ul class="factor-list" role="list">${factors.passkeys.map(one => renderPasskey(page, one, words))}</ul>`}
${outcome?.isDone === false && outcome.form === 'passkey' && renderProblem('passkey', outcome.words)}
${confirmHref === null && (passkeyOptions === null ? html`<p>${words.passkeyNowhere}</p>` : renderNewPasskey(page, passkeyOptions, words))}`
}

const renderNewPasskey = ({ shell, formToken, next }: SettingsPage, options: object, words: Words): Html =>
  renderPasskeyForm(
    {
      script: shell.assets.passkeys,
      action: SETTINGS_PATH,
      does: 'create',
      options,
      label: words.passkeyAdd,
      isPrimary: false,
      fields: { form: formToken, act: 'add-passkey', ...(next === null ? {} : { next }) },
      before: html`<label for="reader:passkey-name">${words.passkeyName}</label>
<input id="reader:passkey-name" type="text" name="name" required maxlength="${PASSKEY_NAME_CHARACTERS_MAX}" autocomplete="off" aria-describedby="reader:passkey-hint">
<p class="sign-in-hint" id="reader:passkey-hint">${words.passkeyNameHint}</p>`,
    },
    words,
  )

const renderPasskey = (page: SettingsPage, passkey: PasskeyRow, words: Words): Html =>
  html`<li><span><strong dir="auto">${passkey.name}</strong><br>${words.passkeyMade} ${renderDate(passkey.created_at, page.language)}, ${
    passkey.last_used_at === null
      ? words.passkeyNever
      : html`${words.passkeyUsed} ${renderDate(passkey.last_used_at, page.language)}`
  }</span>${renderAct(page, 'remove-passkey', words.passkeyRemove(passkey.name), html`<input type="hidden" name="passkey" value="${passkey.id}">`)}</li>`

const renderDate = (date: Date, language: Language): Html =>
  html`<time datetime="${date.toISOString()}">${date.toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })}</time>`

function renderCodesLeft(page: SettingsPage, words: Words): Html {
  const { factors } = page
  if (!isSetUp(factors)) return html`<p>${words.codesNone}</p>`
  return html`<p>${words.codesText(factors.codes)}</p>
${factors.codes <= RECOVERY_CODES_FEW && html`<p class="factor-warning">${words.codesFew}</p>`}
${renderAct(page, 'renew-codes', words.codesRenew, false)}`
}

/** The only page that shows them. */
export const renderCodes = (
  page: Pick<SettingsPage, 'shell' | 'language' | 'next'>,
  codes: readonly string[],
): string => {
  const words = WORDS[page.language]
  return renderAccountPage(
    page,
    words.codesTitle,
    html`<h1>${words.codesTitle}</h1>
<p class="lead">${words.codesOnce}</p>
<ol class="factor-codes">${codes.map(code => html`<li>${code}</li>`)}</ol>
<p><a class="button button-primary" href="${page.next ?? SETTINGS_PATH}">${words.codesDone}</a></p>`,
  )
}
