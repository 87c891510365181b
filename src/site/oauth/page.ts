// The page that asks whether a program may act for the person in front of it.
import { hostOfRedirect } from '../../api/oauth/redirects.ts'
import type { AuthorizationRequest, Level } from '../../api/oauth/requests.ts'
import { type Html, html } from '../../base/html.ts'
import type { Language } from '../languages.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { describedBy, renderProblem } from '../sign-in/page.ts'
import { WORDS, type Words } from './words.ts'

/** What proves that the person is present; null: they have just done so. */
export type Proof = 'password' | 'token' | 'provider' | 'passkey' | null

export type ConsentPage = {
  readonly shell: Shell
  readonly language: Language
  readonly formToken: string
  /** This address, with what is asked for. */
  readonly address: string
  readonly person: { readonly name: string; readonly email: string }
  readonly request: AuthorizationRequest
  readonly level: Level
  readonly organizations: readonly { readonly id: string; readonly title: string }[]
  /** Whether it may act in all of them. */
  readonly offersAll: boolean
  readonly organization: string | null
  readonly proof: Proof
  readonly problem: string | null
}

export function renderConsent(page: ConsentPage): string {
  const { shell, language, address, person, request, problem } = page
  const words = WORDS[language]
  const name = request.client.name || words.unnamed
  const title = words.title(name)
  const host = hostOfRedirect(request.redirectUri)
  return renderDocument({
    shell,
    space: null,
    title: problem === null ? title : `${title} ${words.error}`,
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="sign-in-card consent">
<h1>${words.title(name)}</h1>
<p class="sign-in-lead">${host === null ? words.onThisMachine : html`${words.where} <strong dir="ltr">${host}</strong>.`}${
      request.client.kind === 'document' &&
      html` ${words.describedAt} <strong dir="ltr">${new URL(request.client.id).host}</strong>.`
    } ${words.care(host)}</p>
<p class="sign-in-lead">${words.as} <strong dir="auto">${person.name}</strong> (<span dir="auto">${person.email}</span>).</p>
<form class="fields" action="${address}" method="post">
${problem !== null && renderProblem('consent', problem)}
${renderLevels(page, words)}
${renderOrganizations(page, words)}
${renderProof(page, words)}
<input type="hidden" name="form" value="${page.formToken}">
${page.proof !== 'provider' && page.proof !== 'passkey' && html`<button class="button button-primary" type="submit" name="answer" value="allow">${words.allow}</button>`}
<button class="button" type="submit" name="answer" value="deny" formnovalidate>${words.refuse}</button>
<p class="sign-in-hint">${words.revocable} <a href="/w/me">${words.account}</a>.</p>
</form>
</div>
</main>`,
  })
}

const renderLevels = (
  { request: { offers }, level }: ConsentPage,
  words: Words,
): Html => html`<fieldset class="choices">
<legend>${words.may}</legend>
${offers.map(
  one =>
    html`<label><input type="radio" name="level" value="${one.level}"${one.level === level && html` checked`}><span>${words.levels[one.level]}</span></label>`,
)}
</fieldset>`

function renderOrganizations(
  { organizations, offersAll, organization }: ConsentPage,
  words: Words,
): Html | false {
  if (organizations.length <= 1 && offersAll) return false
  return html`<label for="reader:organization">${words.inOrganization}</label>
<select id="reader:organization" name="organization">
${offersAll && html`<option value="">${words.everywhere}</option>`}
${organizations.map(
  ({ id, title }) => html`<option value="${id}"${id === organization && html` selected`}>${title}</option>`,
)}
</select>`
}

function renderProof({ proof, person, address, problem }: ConsentPage, words: Words): Html | false {
  if (proof === null) return false
  if (proof === 'provider')
    return html`<p>${words.confirmAtProvider}</p>
<p><a class="button button-primary" href="/sso/confirm?${new URLSearchParams({ next: address }).toString()}">${words.atProvider}</a></p>`
  if (proof === 'passkey')
    return html`<p>${words.confirmAtProvider}</p>
<p><a class="button button-primary" href="/account/confirm?${new URLSearchParams({ next: address }).toString()}">${words.withPasskey}</a></p>`
  return html`<p class="sign-in-hint">${words.confirm}</p>
${proof === 'password' && html`<input type="text" name="username" value="${person.email}" autocomplete="username" hidden>`}
<label for="reader:proof">${words[proof]}</label>
<input id="reader:proof" type="password" name="proof" required autocomplete="${proof === 'password' ? 'current-password' : 'off'}" maxlength="512"${describedBy('consent', problem === null ? null : {})}>`
}
