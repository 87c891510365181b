// Links in comments. A comment is in no file, so engines/markdown/render/render.ts writes its references by id,
// `/pages/<id>`; this parses them back.
import type { Reference } from '../../engines/markdown/document/document.ts'

const ADDRESS =
  /^(?:\/spaces\/(?<space>\w{1,128}))?(?:\/(?<kind>pages|files|reusable-contents|users|collections)\/(?<id>\w{1,128}))?(?:#(?<anchor>[^#]{1,512}))?$/

/** Undefined for every other address. */
export function readAddress(destination: string): Reference | undefined {
  const { space, kind, id = '', anchor } = ADDRESS.exec(destination)?.groups ?? {}
  const within = space === undefined ? {} : { space }
  if (anchor !== undefined) {
    if (kind === undefined) return { kind: 'anchor', anchor, ...within }
    return kind === 'pages' ? { kind: 'anchor', anchor, page: id, ...within } : undefined
  }
  switch (kind) {
    case undefined:
      return space === undefined ? undefined : { kind: 'space', space }
    case 'pages':
      return { kind: 'page', page: id, ...within }
    case 'files':
      return { kind: 'file', file: id, ...within }
    case 'reusable-contents':
      return { kind: 'reusable-content', reusableContent: id, ...within }
  }
  if (space !== undefined) return undefined
  return kind === 'users' ? { kind: 'user', user: id } : { kind: 'collection', collection: id }
}
