// Signing out. A form names the person whom its page was drawn for: in a tab that was left open, it does not end the
// session of somebody who has signed in since.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserPrincipal } from '../../access/principal.ts'
import { html } from '../../base/html.ts'
import { formOf } from '../forms.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { visitorOf } from '../session.ts'
import { endBrowserSession, withBrowserEvents } from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'

const PATH = '/sign-out'

export function serveSignOut(pages: FastifyInstance, site: Site): void {
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    act: (visitor: UserPrincipal) => Promise<unknown>,
  ) => {
    reply.header('cache-control', 'no-store')
    const visitor = await visitorOf(site.services, request)
    if (visitor.kind === 'user') return act(visitor)
    await endBrowserSession(site.services, request, reply)
    return reply.redirect('/', 303)
  }
  pages.get(PATH, (request, reply) =>
    answer(request, reply, async visitor =>
      reply.send(renderSignOut(shellOf(site, request, visitor), visitor, null)),
    ),
  )
  pages.post(PATH, (request, reply) =>
    answer(request, reply, async visitor => {
      if (formOf(request).get('person') !== visitor.user.id)
        return reply.code(409).send(renderSignOut(shellOf(site, request, visitor), visitor, OTHER))
      await endBrowserSession(withBrowserEvents(site.services, request), request, reply)
      return reply.redirect('/', 303)
    }),
  )
}

const OTHER = 'Nobody was signed out: the page that you came from was opened before this person signed in.'

function renderSignOut(shell: Shell, { user }: UserPrincipal, problem: string | null): string {
  return renderDocument({
    shell,
    space: null,
    title: 'Sign out',
    isUnlisted: true,
    hasTree: false,
    hidesVisitor: true,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1">
<div class="sign-in-card">
<h1>Sign out</h1>
${problem !== null && html`<p class="problem" role="alert"><span>${problem}</span></p>`}
<p class="sign-in-lead">You are signed in as <strong dir="auto">${user.display_name}</strong> (${user.email}).</p>
<form class="fields" action="${PATH}" method="post">
<input type="hidden" name="person" value="${user.id}">
<button class="button button-primary" type="submit">Sign out</button>
<a class="button" href="/">Stay signed in</a>
</form>
</div>
</main>`,
  })
}
