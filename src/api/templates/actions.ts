// Adding the pages of a template to a space or a change request, and creating them with one.

import { allows } from '../../access/policy.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { invalid, missing, orMissing } from '../../base/errors.ts'
import { isLinkScheme, schemeOf } from '../../base/link-schemes.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Hash } from '../../engines/content/records.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import type { Context } from '../../http/context.ts'
import type { AuthorContext, SignedInContext } from '../../http/operation.ts'
import { createChangeRequest } from '../change-requests/actions.ts'
import { type ChangeRequestRow, findChangeRequestOfSpace } from '../change-requests/rows.ts'
import { insertObjects } from '../content/objects.ts'
import { beginWithEdit, editChangeRequest, editSpace, makeContent } from '../edits/actions.ts'
import { addressedRecord, findAddresses, isElsewhere, writeElsewhere } from '../edits/batch/other-spaces.ts'
import type { LinkTarget } from '../edits/request/fields.ts'
import { createSpace, createSpaceWithin, newIds } from '../spaces/actions.ts'
import { findSpaceFor } from '../spaces/place.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import { type ContentRefs, toChanges } from './changes.ts'
import { findLibraryTemplate } from './library.ts'
import { readTemplate } from './rows.ts'
import type {
  ApplySpaceTemplate,
  CreateChangeRequestWithTemplate,
  CreateSpaceWithTemplate,
} from './schema.ts'
import { contentRefsOf, type Template } from './template.ts'

/**
 * Adds the pages after the existing ones; derived slugs that are taken get another. A locked space accepts templates
 * too. Throws `missing` for an unknown template or change request, `invalid` for a reference of the template that leads
 * nowhere.
 */
export async function applyTemplate(
  context: SignedInContext,
  space: SpaceRow,
  { id, params, changeRequestId }: ApplySpaceTemplate,
): Promise<void> {
  const template = await getTemplate(context, space.organization_id, id)
  const changeRequest =
    changeRequestId === undefined ? undefined : await findTarget(context, space, changeRequestId)
  const { root_hash } = changeRequest ?? space
  const contentRefs = await readContentRefs(context, template, params?.contentRefs ?? {}, {
    spaceId: space.id,
    root: root_hash.toString('hex'),
  })
  const { compute, urls } = context
  const changes = await toChanges(template, { compute, urls, spaceId: space.id, contentRefs })
  const given = template.files
  if (changes.length === 0) return
  if (changeRequest === undefined) await editSpace(context, space, changes, { heedsLock: false, given })
  else await editChangeRequest(context, changeRequest, changes, { given })
}

/**
 * A new space, starting with the pages of a template if one is named, in one transaction.
 *
 * @throws Failure what making a space throws, and what applying a template does; nothing is created then.
 */
export async function createSpaceWith(
  context: SignedInContext,
  organizationId: string,
  { template: wanted, ...body }: CreateSpaceWithTemplate,
): Promise<SpaceRow> {
  const { compute, urls } = context
  if (wanted === undefined) return createSpace(context, organizationId, body)
  if (body.empty === true)
    throw invalid('template_and_empty', 'body.template: a space that begins with a template is not empty.')
  const template = await getTemplate(context, organizationId, wanted.id)
  const ids = newIds()
  const contentRefs = await readContentRefs(context, template, wanted.params?.contentRefs ?? {}, {
    spaceId: ids.space,
    root: EMPTY_ROOT,
  })
  const changes = await toChanges(template, { compute, urls, spaceId: ids.space, contentRefs })
  if (changes.length === 0) return createSpace(context, organizationId, body)
  await beginWithEdit(context, ids, changes, template.files, trx =>
    createSpaceWithin(trx, context, organizationId, body, ids),
  )
  return orMissing(await findSpace(context.db, ids.space), 'space')
}

/** A new change request, proposing the pages of a template if one is named. Throws what applying one throws. */
export async function createChangeRequestWith(
  context: AuthorContext,
  space: SpaceRow,
  { template: wanted, ...body }: CreateChangeRequestWithTemplate,
): Promise<ChangeRequestRow> {
  const { compute, urls } = context
  if (wanted === undefined) return createChangeRequest(context, space, body)
  const root = space.root_hash.toString('hex')
  const template = await getTemplate(context, space.organization_id, wanted.id)
  const contentRefs = await readContentRefs(context, template, wanted.params?.contentRefs ?? {}, {
    spaceId: space.id,
    root,
  })
  const changes = await toChanges(template, { compute, urls, spaceId: space.id, contentRefs })
  const content = await makeContent(context, space.id, root, changes, template.files)
  return createChangeRequest(context, space, body, {
    revisionId: space.revision_id,
    root: content.root,
    insert: trx => insertObjects(trx, content.objects),
  })
}

/** A template of the library, or one of the organization for its members. */
async function getTemplate(
  { db, principal }: Context,
  organizationId: string,
  id: string,
): Promise<Template> {
  const ours = findLibraryTemplate(id)
  if (ours !== undefined) return ours
  const mayView = allows('organization', 'viewTemplates', roleInOrganization(principal, organizationId))
  const found = mayView && !id.includes('\u0000') ? await readTemplate(db, organizationId, id) : undefined
  if (found === undefined) throw missing('template')
  return found
}

async function findTarget(context: SignedInContext, space: SpaceRow, id: string): Promise<ChangeRequestRow> {
  const found = id.includes('\u0000') ? undefined : await findChangeRequestOfSpace(context.db, space.id, id)
  if (found === undefined) throw missing('change request')
  return found
}

/** The references that the template has; each must lead somewhere. Those to other spaces become addresses. */
async function readContentRefs(
  context: Context,
  template: Template,
  given: ContentRefs,
  { spaceId, root }: { readonly spaceId: string; readonly root: Hash },
): Promise<ContentRefs> {
  const targets = new Map(Object.entries(given))
  const references = contentRefsOf(template).flatMap(name => {
    const target = targets.get(name)
    return target === undefined ? [] : [[name, target] as const]
  })
  if (references.length === 0) return {}
  const content = await context.contents.get(root)
  const elsewhere = references.flatMap(([, reference]) =>
    isElsewhere(reference, spaceId) ? (addressedRecord(reference) ?? []) : [],
  )
  const addresses = await findAddresses(context, elsewhere)
  const read: Record<string, LinkTarget> = {}
  for (const [name, reference] of references) {
    const url = isElsewhere(reference, spaceId) ? writeElsewhere(reference, addresses) : undefined
    if (url === undefined && !(await leadsSomewhere(context, spaceId, content, reference)))
      throw invalid(
        'content_ref_missing',
        `body.params.contentRefs.${name}: there is no such ${reference.kind === 'anchor' ? 'page' : reference.kind}, or you may not see it. Leave it out, or name one that exists.`,
      )
    read[name] = url === undefined ? reference : { kind: 'url', url }
  }
  return read
}

/** Whether the target exists: in the space itself, a space, or an address. */
async function leadsSomewhere(
  context: Context,
  spaceId: string,
  content: Content,
  reference: LinkTarget,
): Promise<boolean> {
  if (isElsewhere(reference, spaceId)) return false
  switch (reference.kind) {
    case 'url':
      return isLinkScheme(schemeOf(reference.url) ?? '')
    case 'page':
    case 'anchor':
      return content.pages.get(reference.page)?.type === 'document'
    case 'file':
      return content.files.has(reference.file)
    case 'space': {
      const at = await findSpaceFor(context, reference.space)
      return at !== undefined && allows('space', 'view', at.role)
    }
  }
}
