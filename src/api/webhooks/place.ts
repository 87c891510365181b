// Webhooks of an organization or of a space: one resource at two places.
import { allows, type RoleOn } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import { below, type Place, rowBelow } from '../../http/place.ts'
import { inOrganization } from '../organizations/place.ts'
import { onSpace } from '../spaces/place.ts'
import { findWebhook, type Of, type WebhookRow } from './rows.ts'

type Holder = 'organization' | 'space'

export type WebhooksAt<S extends Holder = Holder> = {
  readonly of: Of
  readonly role: RoleOn<S> | null
}
export type WebhookAt<S extends Holder = Holder> = WebhooksAt<S> & { readonly webhook: WebhookRow }

export const inOrganizationWebhooks: Place<'organization', WebhooksAt<'organization'>> = below(
  inOrganization,
  {
    subject: 'organization',
    path: '/webhooks',
    find: ({ principal }, at) => ({
      of: { organizationId: at.organization.id, spaceId: null },
      role: inOrganization.role(principal, at),
    }),
    role: (_principal, { role }) => role,
  },
)

export const inSpaceWebhooks: Place<'space', WebhooksAt<'space'>> = below(onSpace, {
  subject: 'space',
  path: '/webhooks',
  find: (_context, { space, role }) => ({
    of: { organizationId: space.organization_id, spaceId: space.id },
    role,
  }),
  role: (_principal, { role }) => (allows('space', 'access', role) ? role : null),
})

const onWebhookOf = <S extends Holder>(place: Place<S, WebhooksAt<S>>): Place<S, WebhookAt<S>> =>
  rowBelow(place, 'webhook', {
    path: '/{webhookId}',
    params: { webhookId: Id('A webhook.') },
    find: ({ db }, { of }, { webhookId }) => findWebhook(db, of, webhookId),
  })

export const onOrganizationWebhook = onWebhookOf(inOrganizationWebhooks)
export const onSpaceWebhook = onWebhookOf(inSpaceWebhooks)
