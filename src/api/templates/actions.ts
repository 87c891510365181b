// Adding the pages of a template to a space, or to a change request of it.
import { allows } from '../../access/policy.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { invalid, missing } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { type ChangeRequestRow, findChangeRequestOfSpace } from '../change-requests/rows.ts'
import { editChangeRequest, editSpace } from '../edits/actions.ts'
import type { LinkTarget } from '../edits/schema.ts'
import { findSpaceFor } from '../spaces/place.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type ContentRefs, toChanges } from './changes.ts'
import { findLibraryTemplate } from './library.ts'
import { readTemplate } from './rows.ts'
import type { ApplySpaceTemplate } from './schema.ts'
import { contentRefsOf, type Template } from './template.ts'

/**
 * Adds the pages after those that are there; derived slugs that are taken get another (api-facts §8-28). A locked space
 * takes templates too (§8-33). Throws `missing` for an unknown template or change request, `invalid` for a reference of
 * the template that leads nowhere.
 */
export async function applyTemplate(
  context: SignedInContext,
  space: SpaceRow,
  { id, params, changeRequestId }: ApplySpaceTemplate,
): Promise<void> {
  const template = findLibraryTemplate(id) ?? (await findOwn(context, space, id))
  if (template === undefined) throw missing('template')
  const changeRequest =
    changeRequestId === undefined ? undefined : await findTarget(context, space, changeRequestId)
  const contentRefs = await readContentRefs(
    context,
    template,
    params?.contentRefs ?? {},
    changeRequest ?? space,
  )
  const { compute, urls } = context
  const changes = await toChanges(template, { compute, urls, spaceId: space.id, contentRefs })
  const given = template.files
  if (changes.length === 0) return
  if (changeRequest === undefined) await editSpace(context, space, changes, { heedsLock: false, given })
  else await editChangeRequest(context, changeRequest, changes, given)
}

/** One of the organization that the space belongs to, for its members. */
async function findOwn(
  { db, principal }: SignedInContext,
  { organization_id }: SpaceRow,
  id: string,
): Promise<Template | undefined> {
  const role = roleInOrganization(principal, organization_id)
  if (!allows('organization', 'viewTemplates', role) || id.includes('\u0000')) return undefined
  return readTemplate(db, organization_id, id)
}

async function findTarget(context: SignedInContext, space: SpaceRow, id: string): Promise<ChangeRequestRow> {
  const found = id.includes('\u0000') ? undefined : await findChangeRequestOfSpace(context.db, space.id, id)
  if (found === undefined) throw missing('change request')
  return found
}

/** Those that the template has, each of which leads to something that is there. */
async function readContentRefs(
  context: SignedInContext,
  template: Template,
  given: ContentRefs,
  target: { readonly root_hash: Buffer },
): Promise<ContentRefs> {
  const names = contentRefsOf(template).filter(name => Object.hasOwn(given, name))
  if (names.length === 0) return {}
  const content = await context.contents.get(target.root_hash.toString('hex'))
  const read: Record<string, LinkTarget> = {}
  for (const name of names) {
    const reference = given[name] as LinkTarget
    if (!(await leadsSomewhere(context, content, reference)))
      throw invalid(
        'content_ref_missing',
        `body.params.contentRefs.${name}: there is no such ${reference.kind === 'anchor' ? 'page' : reference.kind}, or you may not see it. Leave it out, or name one that is there.`,
      )
    read[name] = reference
  }
  return read
}

async function leadsSomewhere(
  context: SignedInContext,
  content: Content,
  reference: LinkTarget,
): Promise<boolean> {
  switch (reference.kind) {
    case 'url':
      return /^(?:https?|mailto):/i.test(reference.url)
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
