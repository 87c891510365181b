// Signing in with a token, for spaces that are not public.
import { CONTENT_ID, renderDocument } from './document.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import type { SignInPage } from './view.ts'

export function renderSignIn({ shell, action, next, problem }: SignInPage): string {
  return renderDocument({
    shell,
    space: null,
    title: 'Sign in',
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1">
<form class="sign-in-card" action="${action}" method="post">
<h1>Sign in</h1>
<p class="sign-in-lead">Use a personal token of yours. It stays in this browser as a cookie that scripts cannot read.</p>
${problem !== null && html`<p class="problem" id="reader:problem" role="alert">${icon('circle-exclamation')}<span>${problem}</span></p>`}
<label for="reader:token">Token</label>
<input id="reader:token" type="password" name="token" required autofocus autocomplete="current-password" spellcheck="false" maxlength="512"${
      problem !== null && html` aria-invalid="true" aria-describedby="reader:problem"`
    }>
<input type="hidden" name="next" value="${next}">
<button class="button button-primary" type="submit">Sign in</button>
<p class="sign-in-hint">No token? Run <code>octavo token you@example.com</code> where Octavo runs, or ask an administrator.</p>
</form>
</main>`,
  })
}
