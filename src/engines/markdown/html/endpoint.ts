// An endpoint that is written out in the page: `{% swagger method path baseUrl summary %}` with a description,
// parameters and responses as blocks within it. Nothing else describes it.
import { childrenOf, type Tag } from '../syntax/syntax.ts'
import { type Child, el, type Hast } from './build.ts'
import { isOn, words } from './names.ts'
import type { Scope } from './scope.ts'

/** Whether it names no description elsewhere. */
export const isWrittenOut = ({ name, attributes }: Tag): boolean =>
  name === 'swagger' && words(attributes.src) === undefined && words(attributes.spec) === undefined

const PLACES: readonly (readonly [place: string, title: string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
  ['body', 'Request body'],
]

/** `head` says its method and path. */
export function renderEndpoint(tag: Tag, scope: Scope, head: readonly Child[]): Hast {
  const { attributes } = tag
  const inside = childrenOf(tag).filter(child => child.type === 'tag')
  const named = (name: string): Tag[] => inside.filter(child => child.name === `swagger-${name}`)
  const rest = childrenOf(tag).filter(
    child => !(child.type === 'tag' && /^swagger-(?:parameter|response)$/.test(child.name)),
  )
  const parameters = named('parameter')
  const responses = named('response')
  const known = new Set(PLACES.map(([place]) => place))
  const others = parameters.filter(each => !known.has(placeOf(each)))
  const summary = words(attributes.summary)
  return el(
    'section',
    { className: 'operation', ariaLabel: summary ?? 'API operation' },
    el('div', { className: 'operation-head' }, head),
    el(
      'div',
      { className: ['operation-text', 'flow'] },
      summary !== undefined && el('p', {}, el('strong', {}, summary)),
      rest.map(child =>
        scope.blocks(child.type === 'tag' && child.name === 'swagger-description' ? child.children : [child]),
      ),
      PLACES.map(([place, title]) =>
        renderParameters(
          title,
          parameters.filter(each => placeOf(each) === place),
          scope,
        ),
      ),
      renderParameters('Parameters', others, scope),
      responses.map(response => renderResponse(response, scope)),
    ),
  )
}

const placeOf = ({ attributes }: Tag): string => words(attributes.in)?.trim().toLowerCase() ?? ''

function renderParameters(title: string, parameters: readonly Tag[], scope: Scope): Child {
  if (parameters.length === 0) return null
  return [
    el('p', {}, el('strong', {}, title)),
    el(
      'ul',
      {},
      parameters.map(({ attributes, children }) => {
        const type = words(attributes.type)
        return el(
          'li',
          {},
          el(
            'p',
            {},
            el('code', {}, words(attributes.name) ?? ''),
            type !== undefined && ` ${type}`,
            isOn(attributes.required ?? false) && [' ', el('strong', {}, 'required')],
          ),
          scope.blocks(children),
        )
      }),
    ),
  ]
}

/** Folded, where it says more than its status. */
function renderResponse({ attributes, children }: Tag, scope: Scope): Hast {
  const title = [
    el('code', {}, words(attributes.status) ?? 'default'),
    ` ${words(attributes.description) ?? ''}`,
  ]
  const inside = scope.blocks(children)
  if (inside.length === 0) return el('p', {}, title)
  return el(
    'details',
    { className: 'expandable' },
    el('summary', {}, title),
    el('div', { className: 'flow' }, inside),
  )
}
