// Creating, renaming and deleting an organization's own templates. Each verb is one transaction.
import { allows } from '../../access/policy.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findSpaceFor } from '../spaces/place.ts'
import { TEMPLATES_MAX } from './bounds.ts'
import { captureTemplate } from './capture.ts'
import {
  countTemplates,
  deleteTemplate,
  insertTemplate,
  lockTemplate,
  type TemplateRow,
  updateTemplate,
} from './rows.ts'
import type { ChangeTemplate, CreateTemplate } from './schema.ts'
import { contentRefsOf, type TemplatePage } from './template.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** `space` and `page`: its source. */
    'template.created': { template: string; title: string; space: string; page?: string }
    /** `fields`: those with a new value. */
    'template.changed': { template: string; fields: string[] }
    'template.deleted': { template: string; title: string }
  }
}

/**
 * Makes a template of the current content of a space. Everybody who uses it reads that content, so this needs the
 * permission to duplicate the space.
 *
 * @throws Failure invalid `template_origin_missing`; forbidden; conflict `too_many_templates`; too_large
 * `template_too_large`.
 */
export async function createTemplate(
  context: SignedInContext,
  organizationId: string,
  { title, description = '', space, page }: CreateTemplate,
): Promise<TemplateRow> {
  const root = await findOrigin(context, organizationId, space)
  const content = await context.contents.get(root)
  if (page !== undefined && content.pages.get(page)?.type !== 'document')
    throw invalid('template_origin_missing', 'body.page: there is no such page in this space.')
  const id = newId()
  const template = await captureTemplate(context, { spaceId: space, content, page }, `template-${id}.`)
  return context.transaction(async trx => {
    const row = await insertTemplate(
      trx,
      {
        ...{ id, organization_id: organizationId, title, description, space_id: space },
        ...{ pages: countPages(template.pages), content_refs: contentRefsOf(template) },
        created_by: context.principal.user.id,
      },
      template,
    )
    if ((await countTemplates(trx, organizationId)) > TEMPLATES_MAX)
      throw conflict(
        'too_many_templates',
        `An organization has at most ${TEMPLATES_MAX} templates. Delete one first.`,
      )
    await context.events.append(trx, {
      type: 'template.created',
      organizationId,
      actorId: context.principal.user.id,
      payload: { template: id, title, space, ...(page === undefined ? {} : { page }) },
    })
    return row
  })
}

/** The root of the space's head. */
async function findOrigin(context: SignedInContext, organizationId: string, id: string): Promise<string> {
  const at = await findSpaceFor(context, id)
  if (at === undefined || !allows('space', 'view', at.role) || at.space.organization_id !== organizationId)
    throw invalid(
      'template_origin_missing',
      'body.space: there is no such space in this organization, or you may not see it.',
    )
  if (!allows('space', 'duplicate', at.role))
    throw forbidden('To make a template of a space you need the role create on it.')
  return at.space.root_hash.toString('hex')
}

const countPages = (pages: readonly TemplatePage[]): number =>
  pages.reduce((count, page) => count + 1 + countPages(page.pages), 0)

/** Undefined if there is no such template. */
export const changeTemplate = (
  context: SignedInContext,
  organizationId: string,
  id: string,
  change: ChangeTemplate,
): Promise<TemplateRow | undefined> =>
  context.transaction(async trx => {
    const known = await lockTemplate(trx, organizationId, id)
    if (known === undefined) return undefined
    const fields = (['title', 'description'] as const).filter(
      name => change[name] !== undefined && change[name] !== known[name],
    )
    if (fields.length === 0) return known
    const values = Object.fromEntries(fields.map(name => [name, change[name]]))
    const row = await updateTemplate(trx, id, { ...values, updated_at: now() })
    await context.events.append(trx, {
      type: 'template.changed',
      organizationId,
      actorId: context.principal.user.id,
      payload: { template: id, fields },
    })
    return row
  })

/** Spaces made with it stay. Idempotent: succeeds if already deleted. */
export const removeTemplate = (context: SignedInContext, organizationId: string, id: string): Promise<void> =>
  context.transaction(async (trx: Trx) => {
    const known = await lockTemplate(trx, organizationId, id)
    if (known === undefined) return
    await deleteTemplate(trx, id)
    await context.events.append(trx, {
      type: 'template.deleted',
      organizationId,
      actorId: context.principal.user.id,
      payload: { template: id, title: known.title },
    })
  })
