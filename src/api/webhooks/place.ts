// Webhooks of an organization or of a space: one resource at two places.
import { Type } from 'typebox'
import { allows, type RoleOn } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { inOrganization } from '../organizations/place.ts'
import { onSpace } from '../spaces/place.ts'
import { findWebhook, type Of, type WebhookRow } from './rows.ts'

type Holder = 'organization' | 'space'

export type WebhooksAt<S extends Holder = Holder> = {
  readonly of: Of
  readonly role: RoleOn<S> | null
}
export type WebhookAt<S extends Holder = Holder> = WebhooksAt<S> & { readonly webhook: WebhookRow }

export const inOrganizationWebhooks: Place<'organization', WebhooksAt<'organization'>> = {
  ...inOrganization,
  path: `${inOrganization.path}/webhooks`,
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    return (
      at && {
        of: { organizationId: at.organization.id, spaceId: null },
        role: inOrganization.role(context.principal, at),
      }
    )
  },
  role: (_principal, { role }) => role,
}

export const inSpaceWebhooks: Place<'space', WebhooksAt<'space'>> = {
  ...onSpace,
  path: `${onSpace.path}/webhooks`,
  async find(context, params) {
    const at = await onSpace.find(context, params)
    return at && { of: { organizationId: at.space.organization_id, spaceId: at.space.id }, role: at.role }
  },
  role: (_principal, { role }) => (allows('space', 'access', role) ? role : null),
}

const onWebhookOf = <S extends Holder>(place: Place<S, WebhooksAt<S>>): Place<S, WebhookAt<S>> => ({
  ...place,
  path: `${place.path}/{webhookId}`,
  params: Type.Object({ ...place.params.properties, webhookId: Id('A webhook.') }),
  noun: 'webhook',
  async find(context, params) {
    const at = await place.find(context, params)
    const webhook = at && (await findWebhook(context.db, at.of, params.webhookId ?? ''))
    return webhook && { ...at, webhook }
  },
})

export const onOrganizationWebhook = onWebhookOf(inOrganizationWebhooks)
export const onSpaceWebhook = onWebhookOf(inSpaceWebhooks)
