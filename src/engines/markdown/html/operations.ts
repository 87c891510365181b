// Blocks that name a part of an API description. The reader, who knows such descriptions, decides how it looks; if
// there is nothing to show, the block says plainly what it means and where that is described.
import type { Nodes } from 'hast'
import {
  ENDPOINT_ATTRIBUTES,
  readAttributes,
  TAG_ATTRIBUTES,
  TARGET_ATTRIBUTES,
} from '../attributes/attributes.ts'
import { parseMarkdown, type Tag } from '../syntax/syntax.ts'
import type { ApiPart, ShownPart } from './api-parts.ts'
import { type Child, el, type Hast, text } from './build.ts'
import { isWrittenOut, renderEndpoint } from './endpoint.ts'
import { renderLink, resolve } from './links.ts'
import type { Scope } from './scope.ts'

const METHODS: ReadonlySet<string> = new Set('get post put patch delete head options trace'.split(' '))

const NAMES_MAX = 100
const PART_LEVEL = 3
const LEVEL_MAX = 6

/**
 * `{% openapi src path method %}`, `{% openapi-operation spec path method %}`, `{% openapi-webhook spec name method
 * %}`.
 */
export function renderOperation(tag: Tag, scope: Scope): Hast {
  const { method, path } = placeOf(tag)
  const { baseUrl = '' } = readAttributes(tag.attributes, ENDPOINT_ATTRIBUTES.endpoint)
  const className = ['method', METHODS.has(method) && `method-${method}`]
  const isWritten = isWrittenOut(tag)
  const address = isWritten ? `${baseUrl.trim()}${path}` : path
  const head = [
    method !== '' && el('span', { className }, method.slice(0, 20).toUpperCase()),
    el('code', { dir: 'ltr' }, address),
  ]
  return isWritten
    ? renderEndpoint(tag, scope, head)
    : hole(tag, scope, tag.name === 'openapi-webhook' ? 'webhook' : 'operation', head)
}

/** `{% openapi-schemas spec="…" schemas="A,B" grouped="true" %}` */
export function renderSchemas(tag: Tag, scope: Scope): Hast {
  return hole(tag, scope, 'schemas', [
    el('span.method', {}, 'SCHEMA'),
    schemasOf(tag).map(name => el('code', {}, name)),
  ])
}

const LABELS = { operation: 'API operation', webhook: 'Webhook', schemas: 'API schemas' } as const
const SUBJECTS = { operation: 'This operation', webhook: 'This webhook', schemas: 'What this names' } as const

function hole(tag: Tag, scope: Scope, kind: ApiPart['kind'], head: readonly Child[]): Hast {
  const link = specLink(tag, scope)
  const part = partOf(tag)
  const sentence = el('p', {}, SUBJECTS[kind], ' is described in ', link, '.')
  const section = el(
    'section.operation',
    { ariaLabel: LABELS[kind] },
    el('div.operation-head', {}, head),
    el('div.operation-text', {}, sentence),
  )
  if (part === undefined) return section
  const level = part.isHeadless ? PART_LEVEL : Math.min(scope.nextLevel(PART_LEVEL), LEVEL_MAX)
  const number = scope.addPart(
    { ...part, level, from: scope.options.source ?? '' },
    {
      fill(shown) {
        const why = 'missing' in shown ? WHY[shown.missing] : ''
        if (why !== '') sentence.children.push(text(` ${why}`))
        if (!('markdown' in shown)) return
        section.properties = { ariaLabel: LABELS[kind] }
        section.children = renderMarkdown(shown.markdown, level, scope)
      },
    },
  )
  section.properties[HOLE] = String(number)
  return section
}

/** Its title has the level of the place, and is not one of the page's headings. */
function renderMarkdown(markdown: string, level: number, scope: Scope): Hast[] {
  const { children } = parseMarkdown(markdown)
  const [first, ...rest] = children
  if (first?.type !== 'heading') return scope.blocks(children)
  return [el(`h${level}`, {}, scope.inlines(first.children)), ...scope.blocks(rest)]
}

/** The part that a tag names; undefined for other tags, for an endpoint that is written out, and for no name. */
export function partOf(tag: Tag): Omit<ApiPart, 'level' | 'from'> | undefined {
  const { attributes, name } = tag
  const isSchemas = name === 'openapi-schemas'
  if ((!isSchemas && !OPERATIONS.has(name)) || isWrittenOut(tag)) return undefined
  const { spec = '', src = '' } = readAttributes(attributes, TARGET_ATTRIBUTES.description)
  if (spec === '' && src === '') return undefined
  const kind = isSchemas ? 'schemas' : name === 'openapi-webhook' ? 'webhook' : 'operation'
  return {
    ...{ kind, spec, src },
    ...(isSchemas ? { method: '', path: '', names: schemasOf(tag) } : { ...placeOf(tag), names: [] }),
    isExpanded: readAttributes(attributes, TAG_ATTRIBUTES.swagger).expanded ?? false,
    isHeadless: readAttributes(attributes, TAG_ATTRIBUTES['openapi-operation']).headless ?? false,
  }
}

const OPERATIONS: ReadonlySet<string> = new Set(
  'openapi openapi-operation openapi-webhook swagger'.split(' '),
)

/** Of a webhook, its name is its path. */
function placeOf({ attributes, name: tag }: Tag) {
  const { method = '', path = '' } = readAttributes(attributes, ENDPOINT_ATTRIBUTES.endpoint)
  const { name = path } = readAttributes(attributes, TAG_ATTRIBUTES['openapi-webhook'])
  return { method: method.trim().toLowerCase(), path: tag === 'openapi-webhook' ? name : path }
}

const schemasOf = ({ attributes }: Tag): string[] =>
  readAttributes(attributes, TAG_ATTRIBUTES['openapi-schemas']).schemas.slice(0, NAMES_MAX)

const WHY = {
  description: 'There is no such description here.',
  part: 'The description does not have it.',
  'too much': 'It is too large to be shown here.',
  nothing: '',
} as const

/** The property of an element that holds the number of the part to show in its place. */
const HOLE = 'dataPart'

/** Fills the holes of a tree that was already sanitised: from here on, nothing checks it again. */
export function fillHoles(tree: Nodes, shown: readonly ShownPart[]): void {
  if (!('children' in tree)) return
  for (const [at, child] of tree.children.entries()) {
    if (child.type !== 'element') continue
    const number = child.properties[HOLE]
    delete child.properties[HOLE]
    const part = number === undefined ? undefined : shown[Number(number)]
    if (part !== undefined && 'html' in part)
      // Raw markup, which hast-util-to-html writes but the types of hast do not include.
      tree.children[at] = { type: 'raw', value: part.html } as never
    else fillHoles(child, shown)
  }
}

/** The file if `src` names one, else the link between the tags, else the specification's name. */
function specLink(tag: Tag, scope: Scope): Child {
  const { src, spec } = readAttributes(tag.attributes, TARGET_ATTRIBUTES.description)
  if (src !== undefined) {
    const target = resolve(scope, src, 'openapi', tag)
    return renderLink(target, [], target.label ?? src.split('/').at(-1) ?? src)
  }
  const inside = scope.inlines(
    tag.children.flatMap(child => (child.type === 'paragraph' ? child.children : [])),
  )
  if (inside.length > 0) return inside
  return spec === undefined ? 'an API description' : ['the API description ', el('code', {}, spec)]
}
