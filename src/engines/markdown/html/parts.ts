// Blocks that name a part of an API description. The reader, who knows such descriptions, decides how it looks; if
// there is nothing to show, the block says plainly what it means and where that is described.
import type { Nodes } from 'hast'
import { captionOf, repeatedLink, type TagBlock } from '../reading/reading.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import type { ApiPart, ShownPart } from './api-parts.ts'
import { type Child, el, flat, type Hast, textOf } from './build.ts'
import { renderLink, resolve } from './links.ts'
import type { Scope } from './scope.ts'

const METHODS: ReadonlySet<string> = new Set('get post put patch delete head options trace'.split(' '))

const NAMES_MAX = 100
const METHOD_MAX = 20
const PART_LEVEL = 3
const LEVEL_MAX = 6

/** A block that names a part. */
export type PartBlock = TagBlock<'openapi-operation' | 'openapi-webhook' | 'openapi-schemas'>

/** Nothing if there is no method. */
export function methodBadge(written = ''): Child {
  const method = plainMethod(written)
  const ground = METHODS.has(method) ? `method-${method}` : undefined
  const className = ['method', ground]
  return (
    method !== '' &&
    el('span', { className, draws: { name: 'chip', ground } }, method.slice(0, METHOD_MAX).toUpperCase())
  )
}

const plainMethod = (written = ''): string => written.trim().toLowerCase()

/** The first of many names. */
export const namesShown = (names: readonly string[]): readonly string[] => names.slice(0, NAMES_MAX)

const KINDS = {
  'openapi-operation': 'operation',
  'openapi-webhook': 'webhook',
  'openapi-schemas': 'schemas',
} as const
const LABELS = { operation: 'API operation', webhook: 'Webhook', schemas: 'API schemas' } as const
const SUBJECTS = { operation: 'This operation', webhook: 'This webhook', schemas: 'What this names' } as const
/** What a block has to say of its part. */
const NEEDS = { operation: 'method and path', webhook: 'method and name', schemas: 'schemas' } as const

/** `head` shows what the part is called. What the block says beside it follows. */
export function renderPart(block: PartBlock, scope: Scope, head: readonly Child[]): Child {
  return [drawPart(block, scope, head), scope.blocks(captionOf(block, block.data.src))]
}

function drawPart(block: PartBlock, scope: Scope, head: readonly Child[]): Hast {
  const kind = KINDS[block.name]
  const part = partOf(block)
  const sentence = el('p', {}, ...explain(block, scope, kind, part))
  const section = el(
    'section.operation',
    { ariaLabel: LABELS[kind], draws: { name: 'operation' } },
    textOf(flat(head)).trim() !== '' && el('div.operation-head', { part: 'title' }, head),
    el('div.operation-text', {}, sentence),
  )
  if (part === undefined || !isWhole(part)) return section
  const level = part.isHeadless ? PART_LEVEL : Math.min(scope.nextLevel(PART_LEVEL), LEVEL_MAX)
  const { isElsewhere } = scope
  const number = scope.addPart(
    { ...part, level, from: scope.options.source ?? '' },
    {
      fill(shown) {
        if ('missing' in shown) {
          sentence.children = flat(whyMissing(shown.missing, part, sentence.children))
          if (!isElsewhere) reportMissing(shown.missing, part, block, scope)
        }
        if (!('markdown' in shown)) return
        section.properties = { ariaLabel: LABELS[kind] }
        delete section.data
        section.children = renderMarkdown(shown.markdown, level, scope)
      },
    },
  )
  section.properties[HOLE] = String(number)
  return section
}

export type NamedPart = Omit<ApiPart, 'level' | 'from'>

const isWhole = ({ kind, method, path, names }: NamedPart): boolean =>
  kind === 'schemas' ? names.length > 0 : method !== '' && path !== ''

/** Where the part is described, or what the block does not say. */
function explain(
  block: PartBlock,
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
  const described = [SUBJECTS[kind], ' is described in ', specLink(block, scope), '.']
  return isWhole(part)
    ? described
    : [described, ` The block does not say which part it shows: it needs ${NEEDS[kind]}.`]
}

type Missing = Exclude<ShownPart, { html: string } | { markdown: string }>['missing']

function reportMissing(missing: Missing, part: NamedPart, { node }: PartBlock, scope: Scope): void {
  const described = part.spec === '' ? part.src : part.spec
  if (missing === 'description')
    scope.report(
      'missing_specification',
      described,
      `There is no API description at ${described.slice(0, 200)}`,
      node,
    )
  if (missing === 'part')
    scope.report(
      'missing_specification',
      textOf(flat([nameOf(part)])),
      'The API description does not have what this block shows',
      node,
    )
}

function whyMissing(missing: Missing, part: NamedPart, described: readonly Hast[]): readonly Child[] {
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
  return scope.inOtherText('', () =>
    first?.type === 'heading'
      ? [el(`h${level}`, {}, scope.inlines(first.children)), ...scope.blocks(rest)]
      : scope.blocks(children),
  )
}

/** The part that a block names; undefined for other blocks, and for no name. Of a webhook, its name is its path. */
export function partOf(block: TagBlock | undefined): NamedPart | undefined {
  if (block === undefined) return undefined
  switch (block.name) {
    case 'openapi-operation': {
      const { path = '', expanded = false, headless = false } = block.data
      return named(block, { path, isExpanded: expanded, isHeadless: headless })
    }
    case 'openapi-webhook': {
      const { name = '', headless = false } = block.data
      return named(block, { path: name, isHeadless: headless })
    }
    case 'openapi-schemas':
      return named(block, {
        names: namesShown(block.data.schemas),
        isGrouped: block.data.grouped ?? false,
      })
    default:
      return undefined
  }
}

function named({ name, data }: PartBlock, part: Partial<NamedPart>): NamedPart | undefined {
  const { spec = '', src = '' } = data
  if (spec === '' && src === '') return undefined
  const method = plainMethod('method' in data ? data.method : '')
  return {
    kind: KINDS[name],
    spec,
    src,
    method,
    path: '',
    names: [],
    isExpanded: false,
    isGrouped: false,
    isHeadless: false,
    ...part,
  }
}

/** The property of an element that holds the number of the part to show in its place. */
const HOLE = 'dataPart'

/** Fills the holes of a tree that was already sanitised: from here on, nothing checks it again. */
export function fillHoles(tree: Nodes, shown: readonly ShownPart[]): void {
  if (!('children' in tree)) return
  for (const [at, child] of tree.children.entries()) {
    if (child.type !== 'element') continue
    const number = child.properties[HOLE]
    if (number !== undefined) delete child.properties[HOLE]
    const part = number === undefined ? undefined : shown[Number(number)]
    if (part !== undefined && 'html' in part)
      // Raw markup, which hast-util-to-html writes but the types of hast do not include.
      tree.children[at] = { type: 'raw', value: part.html } as never
    else fillHoles(child, shown)
  }
}

/** The file if `src` names one, else the link between the tags, else the specification's name. */
function specLink(block: PartBlock, scope: Scope): Child {
  const { src, spec } = block.data
  if (src !== undefined) {
    const target = resolve(scope, src, 'openapi', block.tag)
    return renderLink(target, [], target.label ?? src.split('/').at(-1) ?? src)
  }
  const link = repeatedLink(block, src)
  if (link !== undefined) return scope.inlines([link])
  return spec === undefined ? 'an API description' : ['the API description ', el('code', {}, spec)]
}
