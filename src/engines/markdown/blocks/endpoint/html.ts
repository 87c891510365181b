// An endpoint written out in the page: `{% swagger method path baseUrl summary %}` with a description, parameters and
// responses as blocks within it. Nothing else describes it.
import { type Child, type DrawBlock, el, type Hast, methodBadge, type Scope } from '../../html/drawing.ts'
import { blockOf, type TagBlock } from '../../reading/reading.ts'
import type { Node } from '../../syntax/syntax.ts'
import { addressOf, titleOf } from './words.ts'

type Endpoint = TagBlock<'endpoint'>

/** The title of the parameters in each place. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
  ['body', 'Request body'],
])
const OTHERS = 'Parameters'

export const endpoint: DrawBlock<'endpoint'> = (block, scope) =>
  block.tag.name === 'swagger' ? drawEndpoint(block, scope) : drawPart(block, scope)

/** A part outside of an endpoint is words. */
const drawPart = ({ data, tag }: Endpoint, scope: Scope): Child => [
  [addressOf(data), titleOf(data)].map(words => words !== '' && el('p', {}, el('strong', {}, words))),
  scope.blocks(tag.children),
]

function drawEndpoint({ data, tag }: Endpoint, scope: Scope): Hast {
  const { summary, method, baseUrl = '', path = '' } = data
  const parameters: Endpoint[] = []
  const responses: Endpoint[] = []
  const rest: Node[] = []
  for (const child of tag.children) {
    const part = blockOf(child)
    if (part?.name !== 'endpoint') rest.push(child)
    else if (part.tag.name === 'swagger-parameter') parameters.push(part)
    else if (part.tag.name === 'swagger-response') responses.push(part)
    else if (part.tag.name === 'swagger-description') rest.push(...part.tag.children)
    else rest.push(child)
  }
  const byPlace = Map.groupBy(parameters, each => TITLES.get(placeOf(each)) ?? OTHERS)
  return el(
    'section.operation',
    { ariaLabel: summary ?? 'API operation', draws: { name: 'operation' } },
    el(
      'div.operation-head',
      { part: 'title' },
      methodBadge(method),
      el('code', { dir: 'ltr' }, `${baseUrl.trim()}${path}`),
    ),
    el(
      'div.operation-text.flow',
      {},
      summary !== undefined && el('p', {}, el('strong', {}, summary)),
      scope.blocks(rest),
      [...TITLES.values(), OTHERS].map(title => drawParameters(title, byPlace.get(title) ?? [], scope)),
      responses.map(response => drawResponse(response, scope)),
    ),
  )
}

const placeOf = ({ data }: Endpoint): string => data.in?.trim().toLowerCase() ?? ''

function drawParameters(title: string, parameters: readonly Endpoint[], scope: Scope): Child {
  if (parameters.length === 0) return null
  return [
    el('p', {}, el('strong', {}, title)),
    el(
      'ul',
      {},
      parameters.map(({ data: { name = '', type, required }, tag }) =>
        el(
          'li',
          {},
          el(
            'p',
            {},
            el('code', {}, name),
            type && ` ${type}`,
            required && [' ', el('strong', {}, 'required')],
          ),
          scope.blocks(tag.children),
        ),
      ),
    ),
  ]
}

/** Folded if it says more than its status. */
function drawResponse({ data: { status = 'default', description = '' }, tag }: Endpoint, scope: Scope): Hast {
  const title = [el('code', {}, status), ` ${description}`]
  const inside = scope.blocks(tag.children)
  if (inside.length === 0) return el('p', {}, title)
  return el('details.expandable', {}, el('summary', {}, title), el('div.flow', {}, inside))
}
