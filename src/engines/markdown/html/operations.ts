// Blocks that name a part of an API description. What it looks like is the reader's to say, who knows such
// descriptions; where there is nothing to show, the block says plainly what it means and where that is described.
import type { Element, ElementContent, Nodes } from 'hast'
import type { Tag } from '../ast.ts'
import { type Child, el, type Hast } from './build.ts'
import { isWrittenOut, renderEndpoint } from './endpoint.ts'
import { renderLink, resolve } from './links.ts'
import { isOn, words } from './names.ts'
import type { Scope } from './scope.ts'

/** A part of an API description, as a page names it. */
export type Part = {
  readonly kind: 'operation' | 'webhook' | 'schemas'
  /** The slug of a specification, where one is named. */
  readonly spec: string
  /** The address of a file, where one is named, and what it is written in: '' is the page. */
  readonly src: string
  readonly from: string
  /** In lower case. */
  readonly method: string
  /** A path, or the name of a webhook. */
  readonly path: string
  /** Of schemas. */
  readonly names: readonly string[]
  /** Whether what is folded away stands open at once. */
  readonly isExpanded: boolean
  /** Whether the page has its title and its description already. */
  readonly isHeadless: boolean
  /** The level of a heading that stands here, 2 to 6. */
  readonly level: number
}

/** Markup that is safe as it is, or why there is none. */
export type ShownPart =
  | { readonly html: string }
  | { readonly missing: 'description' | 'part' | 'too much' | 'nothing' }

/** One answer for each. */
export type ShowParts = (parts: readonly Part[]) => Promise<readonly ShownPart[]>

/** Where a part is to be shown; `explain` says in its place why it is not. */
export type PartHole = { explain(shown: ShownPart): void }

const METHODS: ReadonlySet<string> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'head',
  'options',
  'trace',
])

const NAMES_MAX = 100
const PART_LEVEL = 3
const LEVEL_MAX = 6

/** `{% openapi src path method %}`, `{% openapi-operation spec path method %}`, `{% openapi-webhook spec name method %}`. */
export function renderOperation(tag: Tag, scope: Scope): Hast {
  const { attributes } = tag
  const isWebhook = tag.name === 'openapi-webhook'
  const method = words(attributes.method)?.trim().toLowerCase() ?? ''
  const path = words(attributes.path ?? attributes.name) ?? ''
  const known = METHODS.has(method)
  const subject = isWebhook ? 'webhook' : 'operation'
  const isWritten = isWrittenOut(tag)
  const address = isWritten ? `${words(attributes.baseUrl)?.trim() ?? ''}${path}` : path
  const head = [
    method !== '' &&
      el(
        'span',
        { className: known ? ['method', `method-${method}`] : ['method'] },
        method.slice(0, 20).toUpperCase(),
      ),
    el('code', { dir: 'ltr' }, address),
  ]
  return isWritten
    ? renderEndpoint(tag, scope, head)
    : hole(tag, scope, { kind: subject, method, path, names: [] }, head)
}

/** `{% openapi-schemas spec="…" schemas="A,B" grouped="true" %}` */
export function renderSchemas(tag: Tag, scope: Scope): Hast {
  const names = (words(tag.attributes.schemas) ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
    .slice(0, NAMES_MAX)
  return hole(tag, scope, { kind: 'schemas', method: '', path: '', names }, [
    el('span', { className: 'method' }, 'SCHEMA'),
    names.map(name => el('code', {}, name)),
  ])
}

const LABELS = { operation: 'API operation', webhook: 'Webhook', schemas: 'API schemas' } as const
const SUBJECTS = { operation: 'This operation', webhook: 'This webhook', schemas: 'What this names' } as const

function hole(
  tag: Tag,
  scope: Scope,
  named: Pick<Part, 'kind' | 'method' | 'path' | 'names'>,
  head: readonly Child[],
): Hast {
  const { attributes } = tag
  const link = specLink(tag, scope)
  const sentence = el('p', {}, SUBJECTS[named.kind], ' is described in ', link, '.')
  const isHeadless = isOn(attributes.headless ?? false)
  const spec = words(attributes.spec)?.trim() ?? ''
  const src = words(attributes.src)?.trim() ?? ''
  const number =
    spec === '' && src === ''
      ? null
      : scope.addPart(
          {
            ...named,
            ...{ spec, src, from: scope.options.source ?? '' },
            isExpanded: isOn(attributes.expanded ?? false),
            isHeadless,
            level: isHeadless ? PART_LEVEL : Math.min(scope.levelHeard(PART_LEVEL), LEVEL_MAX),
          },
          {
            explain(shown) {
              const why = 'missing' in shown ? WHY[shown.missing] : ''
              if (why !== '') sentence.children.push(...el('span', {}, ` ${why}`).children)
            },
          },
        )
  return el(
    'section',
    {
      className: 'operation',
      ariaLabel: LABELS[named.kind],
      [HOLE]: number === null ? null : String(number),
    },
    el('div', { className: 'operation-head' }, head),
    el('div', { className: 'operation-text' }, sentence),
  )
}

const WHY = {
  description: 'There is no such description here.',
  part: 'The description does not have it.',
  'too much': 'It is too large to be shown here.',
  nothing: '',
} as const

/** Of an element: the number of what is shown in its place. */
export const HOLE = 'dataPart'

/** Puts what is shown in its place, into a tree that was sanitised before: from here on, nothing looks at it again. */
export function fillHoles(tree: Nodes, shown: readonly ShownPart[]): void {
  if (!('children' in tree)) return
  for (const [at, child] of tree.children.entries()) {
    if (child.type !== 'element') continue
    const number = child.properties[HOLE]
    delete child.properties[HOLE]
    const part = number === undefined ? undefined : shown[Number(number)]
    if (part !== undefined && 'html' in part)
      (tree.children as (ElementContent | Element)[])[at] = { type: 'raw', value: part.html } as never
    else fillHoles(child, shown)
  }
}

/** The file where `src` names one, else the link that stands in the tag, else the specification's name. */
function specLink(tag: Tag, scope: Scope): Child {
  const src = words(tag.attributes.src)
  const spec = words(tag.attributes.spec)
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
