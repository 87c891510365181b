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
import { type Child, el, flat, type Hast, textOf } from './build.ts'
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
/** What a block has to say of its part. */
const NEEDS = { operation: 'method and path', webhook: 'method and name', schemas: 'schemas' } as const

function hole(tag: Tag, scope: Scope, kind: ApiPart['kind'], head: readonly Child[]): Hast {
  const part = partOf(tag)
  const sentence = el('p', {}, ...explain(tag, scope, kind, part))
  const section = el(
    'section.operation',
    { ariaLabel: LABELS[kind] },
    textOf(flat(head)).trim() !== '' && el('div.operation-head', {}, head),
    el('div.operation-text', {}, sentence),
  )
  if (part === undefined || !isWhole(part)) return section
  const level = part.isHeadless ? PART_LEVEL : Math.min(scope.nextLevel(PART_LEVEL), LEVEL_MAX)
  const number = scope.addPart(
    { ...part, level, from: scope.options.source ?? '' },
    {
      fill(shown) {
        if ('missing' in shown) sentence.children = flat(whyMissing(shown.missing, part, sentence.children))
        if (!('markdown' in shown)) return
        section.properties = { ariaLabel: LABELS[kind] }
        section.children = renderMarkdown(shown.markdown, level, scope)
      },
    },
  )
  section.properties[HOLE] = String(number)
  return section
}

type NamedPart = Omit<ApiPart, 'level' | 'from'>

const isWhole = ({ kind, method, path, names }: NamedPart): boolean =>
  kind === 'schemas' ? names.length > 0 : method !== '' && path !== ''

/** Where the part is described, or what the block does not say. */
function explain(
  tag: Tag,
  scope: Scope,
  kind: ApiPart['kind'],
  part: NamedPart | undefined,
): readonly Child[] {
  if (part === undefined)
    return [
      'This block names no API description: it needs ',
      el('code', {}, 'spec'),
      ' or ',
      el('code', {}, 'src'),
      '.',
    ]
  const described = [SUBJECTS[kind], ' is described in ', specLink(tag, scope), '.']
  return isWhole(part)
    ? described
    : [described, ` The block does not say which part it shows: it needs ${NEEDS[kind]}.`]
}

function whyMissing(
  missing: Exclude<ShownPart, { html: string } | { markdown: string }>['missing'],
  part: NamedPart,
  described: readonly Hast[],
): readonly Child[] {
  switch (missing) {
    case 'description':
      return part.spec === ''
        ? ['There is no API description at ', el('code', {}, part.src), '.']
        : ['There is no API description called ', el('code', {}, part.spec), ' here.']
    case 'part':
      return [described, ' The description does not have ', nameOf(part), '.']
    case 'too much':
      return [described, ' It is too large to be shown here.']
    case 'nothing':
      return described
  }
}

const nameOf = ({ kind, method, path, names }: NamedPart): Child =>
  kind === 'operation'
    ? el('code', {}, `${method.toUpperCase()} ${path}`)
    : kind === 'webhook'
      ? ['the webhook ', el('code', {}, path)]
      : [
          names.length === 1 ? 'the schema ' : 'the schemas ',
          names.map((name, index) => [index > 0 && ', ', el('code', {}, name)]),
        ]

/** Its title has the level of the place, and is not one of the page's headings. */
function renderMarkdown(markdown: string, level: number, scope: Scope): Hast[] {
  const { children } = parseMarkdown(markdown)
  const [first, ...rest] = children
  if (first?.type !== 'heading') return scope.blocks(children)
  return [el(`h${level}`, {}, scope.inlines(first.children)), ...scope.blocks(rest)]
}

/** The part that a tag names; undefined for other tags, for an endpoint that is written out, and for no name. */
export function partOf(tag: Tag): NamedPart | undefined {
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
