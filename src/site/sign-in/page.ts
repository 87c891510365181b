// The sign-in page. It works without a script, and shows errors next to their form.
import type { Login } from '../../api/sso/logins.ts'
import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import type { Shell } from '../layout/view.ts'
import { WORDS } from './factor-words.ts'
import { renderPasskeyForm } from './passkey-form.ts'
import { SIGN_IN_WORDS } from './words.ts'

export type SignInPage = {
  readonly shell: Shell
  readonly language: Language
  readonly formToken: string
  /** What the browser is asked for a passkey; null where none works. */
  readonly passkeyOptions: object | null
  /** Where to go afterwards: a path of this server. */
  readonly next: string
  /** Which of the forms was refused, and why. */
  readonly problem: {
    readonly form: 'password' | 'token' | 'organization' | 'passkey'
    readonly words: string
  } | null
  /** The email address that was typed. */
  readonly email: string
  /** The organization that was typed. */
  readonly organization: string
  readonly logins: readonly Login[]
  /** If there is only one organization, nobody has to choose: its logins are listed. */
  readonly isOnlyOrganization: boolean
  /** Whether emails with a link to choose a password are sent. */
  readonly sendsMail: boolean
}

export function renderSignIn(page: SignInPage): string {
  const { shell, language, next, problem, email } = page
  const words = SIGN_IN_WORDS[language]
  const refused = problem?.form === 'password' ? problem : null
  return renderDocument({
    shell,
    space: null,
    title: problem === null ? words.signIn : `${words.signIn}: ${words.error}`,
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card">
<h1>${words.signIn}</h1>
${
  shell.visitor !== null &&
  html`<p class="sign-in-lead">${words.signedInAs} <strong dir="auto">${shell.visitor.name}</strong>. <a href="/w/me">${words.account}</a></p>`
}
<form class="fields" action="/sign-in" method="post">
${refused !== null && renderProblem('password', refused.words)}
<label for="reader:email">${words.email}</label>
<input id="reader:email" type="text" inputmode="email" name="email" value="${email}" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254"${
      (problem === null || (refused !== null && email === '')) && html` autofocus`
    }${describedBy('password', refused)}>
<label for="reader:password">${words.password}</label>
<input id="reader:password" type="password" name="password" required autocomplete="current-password" maxlength="256"${
      refused !== null && email !== '' && html` autofocus`
    }${describedBy('password', refused)}>
${hidden(page.formToken, next)}
<button class="button button-primary" type="submit">${words.signIn}</button>
</form>
${renderPasskey(page)}
${renderLogins(page)}
${renderTokenForm(page)}
<p class="sign-in-hint">${
      page.sendsMail ? html`<a href="/password">${words.forgot}</a> ${words.forgotHint}` : words.noMail
    }</p>
</div>
</main>`,
  })
}

function renderPasskey({ shell, language, formToken, next, passkeyOptions, problem }: SignInPage): Html {
  const words = WORDS[language]
  return html`${problem?.form === 'passkey' && renderProblem('passkey', problem.words)}
${
  passkeyOptions !== null &&
  renderPasskeyForm(
    {
      script: shell.assets.passkeys,
      action: '/sign-in/passkey',
      does: 'get',
      options: passkeyOptions,
      label: words.signInPasskey,
      isPrimary: false,
      fields: { form: formToken, next },
    },
    words,
  )
}`
}

/** Shown above the fields, and announced at once by screen readers. */
export const renderProblem = (form: string, words: string): Html =>
  html`<p class="problem" id="reader:problem-${form}" role="alert">${icon('circle-exclamation')}<span>${words}</span></p>`

export const describedBy = (form: string, problem: object | null): Html | false =>
  problem !== null && html` aria-invalid="true" aria-describedby="reader:problem-${form}"`

const hidden = (formToken: string, next: string): Html =>
  html`<input type="hidden" name="form" value="${formToken}"><input type="hidden" name="next" value="${next}">`

function renderLogins(page: SignInPage): Html {
  const { logins, next, problem, organization, isOnlyOrganization } = page
  const words = SIGN_IN_WORDS[page.language]
  const refused = problem?.form === 'organization' ? problem : null
  const query = `?${new URLSearchParams({ next })}`
  return html`${
    logins.length > 0 &&
    html`<ul class="logins" role="list">${logins.map(
      ({ label, href }) =>
        html`<li><a class="button" href="${href + query}">${icon('key')}${words.signInWith(label)}</a></li>`,
    )}</ul>`
  }
${
  !isOnlyOrganization &&
  html`<details class="sign-in-other"${(organization !== '' || refused !== null) && html` open`}>
<summary>${words.withOrganization}</summary>
<form class="fields" action="/sign-in" method="get">
${refused !== null && renderProblem('organization', refused.words)}
<label for="reader:organization">${words.organization}</label>
<input id="reader:organization" type="text" name="organization" value="${organization}" required autocapitalize="none" spellcheck="false" maxlength="128"${refused !== null && html` autofocus`}${describedBy('organization', refused)}>
<input type="hidden" name="next" value="${next}">
<button class="button" type="submit">${words.continue}</button>
</form>
</details>`
}`
}

function renderTokenForm({ language, formToken, next, problem }: SignInPage): Html {
  const words = SIGN_IN_WORDS[language]
  const refused = problem?.form === 'token' ? problem : null
  return html`<details class="sign-in-other"${refused !== null && html` open`}>
<summary>${words.withToken}</summary>
<form class="fields" action="/sign-in/token" method="post">
${refused !== null && renderProblem('token', refused.words)}
<label for="reader:token">${words.token}</label>
<input id="reader:token" class="code" type="password" name="token" required autocomplete="off" spellcheck="false" maxlength="512"${
    refused !== null && html` autofocus`
  }${describedBy('token', refused)}>
${hidden(formToken, next)}
<button class="button" type="submit">${words.signInToken}</button>
<p class="sign-in-hint">${words.tokenHint} <code>octavo token you@example.com</code></p>
</form>
</details>`
}
