// Accepting an invitation in a browser: anyone who has its address can see what it grants, and accept it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { NO_PROOFS } from '../../access/proofs.ts'
import { coversScope } from '../../access/scopes.ts'
import { acceptInvite } from '../../api/invitations/accepting.ts'
import { type InviteAt, onInvitation } from '../../api/invitations/place.ts'
import { spaceHref } from '../../api/rendering/addresses.ts'
import { forbidden } from '../../base/errors.ts'
import { html } from '../../base/html.ts'
import { NO_PRECONDITIONS } from '../../http/preconditions.ts'
import { formTokenOf } from '../forms.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { renderNotice } from '../notice-pages.ts'
import { pathParameter } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { withBrowserEvents } from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'

const PATH = '/invitations/:organizationId/:inviteId'
const ID = /^[\w-]{1,128}$/

export function serveInvitations(pages: FastifyInstance, site: Site): void {
  const config = { isAddressSecret: true } as const
  pages.get(PATH, { config }, (request, reply) =>
    answerInvited(site, request, reply, async (visitor, at) =>
      reply.send(
        renderInvitation(
          shellOf(site, request, visitor),
          at,
          formTokenOf(site.services.config, request),
          request.url.split('?', 1)[0] ?? '',
        ),
      ),
    ),
  )
  pages.post(PATH, { config }, (request, reply) =>
    answerInvited(site, request, reply, async (visitor, at) => {
      // as the operation asks of a token: a narrowed one would widen itself
      if (!coversScope(visitor.scopes, 'unscoped'))
        throw forbidden('You are signed in with a token that has limited scopes. Sign in with your password.')
      await acceptInvite({ ...withBrowserEvents(site.services, request), principal: visitor }, at)
      return reply.redirect(at.target.kind === 'space' ? spaceHref(at.target.space.id) : '/', 303)
    }),
  )
}

/** Without a session: to the sign-in page first. An invitation that does not exist and one for others look alike. */
async function answerInvited(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (visitor: UserPrincipal, at: InviteAt) => Promise<unknown>,
) {
  reply.header('cache-control', 'no-store')
  const { services } = site
  const visitor = await visitorOf(services, request)
  const params = {
    organizationId: pathParameter(request, 'organizationId'),
    inviteId: pathParameter(request, 'inviteId'),
  }
  const isWellFormed = ID.test(params.organizationId) && ID.test(params.inviteId)
  if (visitor.kind !== 'user' && isWellFormed) {
    const next = `/invitations/${params.organizationId}/${params.inviteId}`
    return reply.redirect(`/sign-in?${new URLSearchParams({ next })}`, 303)
  }
  const context = {
    ...services,
    ...NO_PRECONDITIONS,
    principal: visitor,
    proofs: NO_PROOFS,
    requestId: request.id,
  }
  const at = isWellFormed ? await onInvitation.find(context, params) : undefined
  const role = at === undefined ? null : onInvitation.role(visitor, at)
  if (visitor.kind !== 'user' || at === undefined || !allows('invitation', 'accept', role))
    return reply.code(404).send(renderNotice(shellOf(site, request, visitor), GONE))
  return answer(visitor, at)
}

const GONE = {
  code: '404',
  title: 'Invitation not found',
  words: 'It was deleted, or its address was not copied completely. Ask for a new one.',
}

function renderInvitation(shell: Shell, at: InviteAt, formToken: string, action: string): string {
  return renderDocument({
    shell,
    space: null,
    title: 'Invitation',
    isUnlisted: true,
    hasTree: false,
    body: html`<main class="sign-in" id="${CONTENT_ID}" tabindex="-1">
<div class="sign-in-card">
<h1>You have been invited</h1>
<p class="sign-in-lead">To ${describeTarget(at)}.</p>
<p>${describeRole(at)}</p>
<form class="fields" action="${action}" method="post">
<input type="hidden" name="form" value="${formToken}">
<button class="button button-primary" type="submit" autofocus>Accept</button>
</form>
</div>
</main>`,
  })
}

function describeTarget({ organization, target }: InviteAt) {
  const title = html`<strong dir="auto">${organization.title}</strong>`
  if (target.kind === 'space')
    return html`the space <strong dir="auto">${target.space.title}</strong> of ${title}`
  if (target.kind === 'collection')
    return html`the collection <strong dir="auto">${target.collection.title}</strong> of ${title}`
  return title
}

function describeRole({ invite, target }: InviteAt): string {
  if (target.kind === 'organization')
    return invite.role === null
      ? 'You will join as a guest.'
      : `You will join as a member with the role ${invite.role}.`
  return invite.role === null
    ? 'You will join the organization as a guest.'
    : `You get the role ${invite.role} there, and keep the access you already have.`
}
