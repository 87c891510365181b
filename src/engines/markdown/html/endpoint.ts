// An endpoint written out in the page: `{% swagger method path baseUrl summary %}` with a description, parameters and
// responses as blocks within it. Nothing else describes it.
import { ENDPOINT_ATTRIBUTES, readAttributes, TARGET_ATTRIBUTES } from '../attributes/attributes.ts'
import type { Node, Tag } from '../syntax/syntax.ts'
import { type Child, el, type Hast } from './build.ts'
import type { Scope } from './scope.ts'

/** Whether it names no description elsewhere. */
export function isWrittenOut({ name, attributes }: Tag): boolean {
  const { src, spec } = readAttributes(attributes, TARGET_ATTRIBUTES.description)
  return name === 'swagger' && src === undefined && spec === undefined
}

/** The title of the parameters in each place. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
  ['body', 'Request body'],
])
const OTHERS = 'Parameters'

/** `head` shows its method and path. */
export function renderEndpoint(tag: Tag, scope: Scope, head: readonly Child[]): Hast {
  const partsOf = (name: string): Tag[] =>
    tag.children.filter(child => child.type === 'tag').filter(child => child.name === name)
  const parameters = partsOf('swagger-parameter')
  const responses = partsOf('swagger-response')
  const parts: ReadonlySet<Node> = new Set([...parameters, ...responses])
  const rest = tag.children.filter(child => !parts.has(child))
  const byPlace = Map.groupBy(parameters, each => TITLES.get(placeOf(each)) ?? OTHERS)
  const { summary } = readAttributes(tag.attributes, ENDPOINT_ATTRIBUTES.endpoint)
  return el(
    'section.operation',
    { ariaLabel: summary ?? 'API operation' },
    el('div.operation-head', {}, head),
    el(
      'div.operation-text.flow',
      {},
      summary !== undefined && el('p', {}, el('strong', {}, summary)),
      rest.map(child =>
        scope.blocks(child.type === 'tag' && child.name === 'swagger-description' ? child.children : [child]),
      ),
      [...TITLES.values(), OTHERS].map(title => renderParameters(title, byPlace.get(title) ?? [], scope)),
      responses.map(response => renderResponse(response, scope)),
    ),
  )
}

const placeOf = ({ attributes }: Tag): string =>
  readAttributes(attributes, ENDPOINT_ATTRIBUTES.parameter).in?.trim().toLowerCase() ?? ''

function renderParameters(title: string, parameters: readonly Tag[], scope: Scope): Child {
  if (parameters.length === 0) return null
  return [
    el('p', {}, el('strong', {}, title)),
    el(
      'ul',
      {},
      parameters.map(({ attributes, children }) => {
        const { name = '', type, required } = readAttributes(attributes, ENDPOINT_ATTRIBUTES.parameter)
        const head = [el('code', {}, name), type && ` ${type}`]
        return el(
          'li',
          {},
          el('p', {}, head, required && [' ', el('strong', {}, 'required')]),
          scope.blocks(children),
        )
      }),
    ),
  ]
}

/** Folded if it says more than its status. */
function renderResponse({ attributes, children }: Tag, scope: Scope): Hast {
  const { status = 'default', description = '' } = readAttributes(attributes, ENDPOINT_ATTRIBUTES.response)
  const title = [el('code', {}, status), ` ${description}`]
  const inside = scope.blocks(children)
  if (inside.length === 0) return el('p', {}, title)
  return el('details.expandable', {}, el('summary', {}, title), el('div.flow', {}, inside))
}
