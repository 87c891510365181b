// GitBook's `{% tags %}`, one renderer each. An unknown tag shows its children.
import { type AttributesOf, readAttributes, TAG_ATTRIBUTES, tagNamed } from '../attributes/attributes.ts'
import { includedPath, type Tag, variableOf } from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast, icon, unseen } from './build.ts'
import { type CodeLook, renderCode } from './code.ts'
import { renderColumns, renderStepper } from './layouts.ts'
import { iconName } from './names.ts'
import { renderOperation, renderSchemas } from './operations.ts'
import { variableText } from './phrasing-elements.ts'
import { renderContentRef, renderEmbed, renderFile, renderIntegration } from './references.ts'
import type { Scope } from './scope.ts'
import { renderTabs } from './tabs.ts'

type TagRenderer = (tag: Tag, scope: Scope) => Child

const RENDERERS: Readonly<Record<string, TagRenderer>> = {
  hint: renderHint,
  tabs: renderTabs,
  tab: renderChildren,
  code: renderCodeTag,
  stepper: renderStepper,
  step: renderChildren,
  columns: renderColumns,
  column: renderChildren,
  embed: renderEmbed,
  file: renderFile,
  'content-ref': renderContentRef,
  'page-ref': renderContentRef,
  include: renderInclude,
  openapi: renderOperation,
  swagger: renderOperation,
  'openapi-operation': renderOperation,
  'openapi-webhook': renderOperation,
  'openapi-schemas': renderSchemas,
  if: renderCondition,
  prompt: renderPrompt,
  updates: renderUpdates,
  update: (tag, scope) => renderUpdate(tag, 'full', scope),
  math: renderChildren,
}

function renderChildren(tag: Tag, scope: Scope): Child {
  return scope.blocks(tag.children)
}

export function renderTag(tag: Tag, scope: Scope): Child {
  const variable = variableOf(tag)
  if (variable !== undefined)
    return tag.isInline ? variableText(variable, scope) : el('p', {}, variableText(variable, scope))
  if (tag.name.startsWith('@')) return renderIntegration(tag, scope)
  const render = Object.hasOwn(RENDERERS, tag.name) ? RENDERERS[tag.name] : undefined
  if (render === undefined) {
    scope.report(
      'unknown_tag',
      `There is no block called ${tag.name.slice(0, 60)}; its content is shown as it is`,
      tag,
    )
    return tag.isClosed ? showChildren(tag, scope) : sourceOf(tag)
  }
  return render(tag, scope)
}

const showChildren = (tag: Tag, scope: Scope): Child =>
  tag.isInline ? scope.inlines(tag.children) : scope.blocks(tag.children)

/** A tag of another language (Jinja, Liquid) in prose is shown as written. */
function sourceOf(tag: Tag): Child {
  const source = `{% ${tag.name}${tag.argument === '' ? '' : ` ${tag.argument.trim()}`} %}`
  return tag.isInline ? source : el('p', {}, source)
}

type Hint = { readonly sign: string; readonly says: string }

const HINTS: Readonly<Record<AttributesOf<typeof TAG_ATTRIBUTES.hint>['style'], Hint>> = {
  info: { sign: 'circle-info', says: 'Note' },
  success: { sign: 'circle-check', says: 'Success' },
  warning: { sign: 'triangle-exclamation', says: 'Warning' },
  danger: { sign: 'circle-exclamation', says: 'Danger' },
}

function renderHint(tag: Tag, scope: Scope): Hast {
  const { style, icon: asked } = readAttributes(tag.attributes, TAG_ATTRIBUTES.hint)
  const { sign, says } = HINTS[style]
  const chosen = iconName(asked)
  return el(
    'aside',
    { className: ['hint', `hint-${style}`], role: 'note', ariaLabel: says },
    chosen === undefined ? icon(sign) : chosenIcon(chosen),
    el('div.flow', {}, scope.blocks(tag.children)),
  )
}

function renderCodeTag(tag: Tag, scope: Scope): Child {
  return withCode(tag, readAttributes(tag.attributes, TAG_ATTRIBUTES.code), scope)
}

/** The children of a tag, code with the look that the tag gives it. */
const withCode = (tag: Tag, look: CodeLook, scope: Scope): Child[] =>
  tag.children.map(child => (child.type === 'code' ? renderCode(child, look, scope) : scope.blocks([child])))

function renderInclude(tag: Tag, scope: Scope): Child {
  const path = includedPath(tag)
  return path === '' ? null : scope.include(path, tag)
}

/** Conditions ask about a visitor whom the reader does not know yet: the content is shown with its condition. */
function renderCondition(tag: Tag, scope: Scope): Hast {
  const condition = el('code', {}, tag.argument.trim().slice(0, 300) || 'true')
  const label = el('p.condition-label', {}, 'Shown when ', condition)
  return el('div.condition', {}, label, scope.blocks(tag.children))
}

function renderPrompt(tag: Tag, scope: Scope): Hast {
  const { description, icon: asked } = readAttributes(tag.attributes, TAG_ATTRIBUTES.prompt)
  const sign = chosenIcon(iconName(asked) ?? 'wand-magic-sparkles')
  const title = el('span', {}, unseen('Prompt: '), description || 'Prompt')
  const head = el('p.prompt-head', {}, sign, title)
  return el('section.prompt', {}, head, withCode(tag, { overflow: 'wrap' }, scope))
}

type DateFormat = AttributesOf<typeof TAG_ATTRIBUTES.updates>['format']

/** The dates of its updates have one format. */
function renderUpdates(tag: Tag, scope: Scope): Hast {
  const { format } = readAttributes(tag.attributes, TAG_ATTRIBUTES.updates)
  return el(
    'div.updates',
    {},
    tag.children.map(child => {
      const update = tagNamed(child, 'update')
      return update === undefined ? scope.blocks([child]) : renderUpdate(update, format, scope)
    }),
  )
}

function renderUpdate(tag: Tag, format: DateFormat, scope: Scope): Hast {
  const { date, tags = [] } = readAttributes(tag.attributes, TAG_ATTRIBUTES.update)
  const time = isDay(date)
    ? el('time', { dateTime: date }, DAYS[format].format(new Date(date)))
    : date !== '' && el('time', {}, date)
  const badges = tags.slice(0, TAGS_MAX).map(name => el('span.badge', {}, name))
  return el(
    'section.update',
    {},
    el('div.update-head', {}, time, badges),
    el('div.flow', {}, scope.blocks(tag.children)),
  )
}

const TAGS_MAX = 20

const isDay = (date: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(date) && !Number.isNaN(Date.parse(date))

const dayFormat = (month: 'long' | 'short' | '2-digit') =>
  new Intl.DateTimeFormat('en-GB', {
    day: month === '2-digit' ? '2-digit' : 'numeric',
    month,
    year: 'numeric',
    timeZone: 'UTC',
  })

const DAYS: Readonly<Record<DateFormat, Intl.DateTimeFormat>> = {
  full: dayFormat('long'),
  short: dayFormat('short'),
  numeric: dayFormat('2-digit'),
}
