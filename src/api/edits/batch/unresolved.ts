// What written texts refer to and this content does not have. A text keeps it as it is written, so that it leads to what
// comes later; the answer names it.
import type { PageLink } from '../../../compute/page-projection.ts'
import type { Reference as DocumentReference } from '../../../engines/markdown/document/document.ts'
import { personNamedBy } from '../../../engines/markdown/page/page.ts'
import type { RecordRef } from '../request/prepare.ts'

export type UnresolvedKind = 'link' | 'image' | 'file' | 'content-ref' | 'include'

/** A destination of one text, as it is written. */
export type Missing = { readonly path: string; readonly kind: UnresolvedKind }

/** The same with the page or the reusable content whose text it is. */
export type Unresolved = Missing & { readonly from: RecordRef }

/** Of one request; a page of them takes about 100 kB. */
export const UNRESOLVED_MAX = 500
/** A data URL can have megabytes. */
export const UNRESOLVED_PATH_CHARACTERS_MAX = 300

const KINDS: { readonly [K in PageLink['kind']]: UnresolvedKind | undefined } = {
  link: 'link',
  mention: 'link',
  embed: 'link',
  image: 'image',
  cover: 'image',
  file: 'file',
  openapi: 'file',
  include: 'include',
  'content-ref': 'content-ref',
  // A specification is named by its slug, and an unused definition leads nobody anywhere.
  'openapi-spec': undefined,
  definition: undefined,
}

export function toMissing({ kind, destination }: PageLink): Missing | undefined {
  const what = personNamedBy(destination) === undefined || kind !== 'link' ? KINDS[kind] : undefined
  return what === undefined ? undefined : { path: shorten(destination), kind: what }
}

/** A reference of a rich document, by the path that names the same in a text. */
export function toMissingReference(reference: DocumentReference): Missing | undefined {
  const space = 'space' in reference && reference.space !== undefined ? `/spaces/${reference.space}` : ''
  switch (reference.kind) {
    case 'url':
      return { path: shorten(reference.url), kind: 'link' }
    case 'page':
      return { path: shorten(`${space}/pages/${reference.page}`), kind: 'link' }
    case 'anchor':
      return { path: shorten(`${space}/pages/${reference.page ?? ''}#${reference.anchor}`), kind: 'link' }
    case 'file':
      return { path: shorten(`${space}/files/${reference.file}`), kind: 'file' }
    case 'reusable-content':
      return { path: shorten(`${space}/reusable-contents/${reference.reusableContent}`), kind: 'include' }
    default:
      return undefined
  }
}

const shorten = (text: string): string => text.slice(0, UNRESOLVED_PATH_CHARACTERS_MAX).toWellFormed()

/** Each destination of a text once for each kind. */
export function distinctMissing(all: Iterable<Missing | undefined>): Missing[] {
  const known = new Map<string, Missing>()
  for (const one of all) if (one !== undefined) known.set(`${one.kind} ${one.path}`, one)
  return [...known.values()]
}
