// Blocks that name a part of an API description. Until the reader knows such descriptions, each says plainly which
// operation it means and where it is described.
import type { Tag } from '../ast.ts'
import { type Child, el, type Hast } from './build.ts'
import { renderLink, resolve } from './links.ts'
import { words } from './names.ts'
import type { Scope } from './scope.ts'

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

/** `{% openapi src path method %}`, `{% openapi-operation spec path method %}`, `{% openapi-webhook spec name method %}`. */
export function renderOperation(tag: Tag, scope: Scope): Hast {
  const { attributes } = tag
  const isWebhook = tag.name === 'openapi-webhook'
  const method = words(attributes.method)?.trim().toLowerCase() ?? ''
  const path = words(attributes.path ?? attributes.name) ?? ''
  const known = METHODS.has(method)
  return el(
    'section',
    { className: 'operation', ariaLabel: isWebhook ? 'Webhook' : 'API operation' },
    el(
      'div',
      { className: 'operation-head' },
      method !== '' &&
        el(
          'span',
          { className: known ? ['method', `method-${method}`] : ['method'] },
          method.slice(0, 20).toUpperCase(),
        ),
      el('code', { dir: 'ltr' }, path),
    ),
    el(
      'div',
      { className: 'operation-text' },
      el(
        'p',
        {},
        isWebhook ? 'This webhook' : 'This operation',
        ' is described in ',
        specLink(tag, scope),
        '.',
      ),
    ),
  )
}

/** `{% openapi-schemas spec="…" schemas="A,B" grouped="true" %}` */
export function renderSchemas(tag: Tag, scope: Scope): Hast {
  const names = (words(tag.attributes.schemas) ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
    .slice(0, 100)
  return el(
    'section',
    { className: 'operation', ariaLabel: 'API schemas' },
    el(
      'div',
      { className: 'operation-head' },
      el('span', { className: 'method' }, 'SCHEMA'),
      names.map(name => el('code', {}, name)),
    ),
    el('div', { className: 'operation-text' }, el('p', {}, 'Described in ', specLink(tag, scope), '.')),
  )
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
