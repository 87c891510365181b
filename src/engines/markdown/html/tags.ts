// GitBook's `{% tags %}`, one renderer each. An unknown tag shows its children.
import { includedPath, type Tag, variableOf } from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast, icon, unseen } from './build.ts'
import { type CodeLook, readCodeTag, renderCode } from './code.ts'
import { renderColumns, renderStepper } from './layouts.ts'
import { iconName, isOn, listed, words } from './names.ts'
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
  updates: (tag, scope) => el('div.updates', {}, scope.blocks(tag.children)),
  update: renderUpdate,
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

const HINTS: { readonly [style: string]: Hint } & { readonly info: Hint } = {
  info: { sign: 'circle-info', says: 'Note' },
  success: { sign: 'circle-check', says: 'Success' },
  warning: { sign: 'triangle-exclamation', says: 'Warning' },
  danger: { sign: 'circle-exclamation', says: 'Danger' },
}

function renderHint(tag: Tag, scope: Scope): Hast {
  const asked = String(tag.attributes.style ?? tag.attributes.type)
  const style = Object.hasOwn(HINTS, asked) ? asked : 'info'
  const { sign, says } = HINTS[style] ?? HINTS.info
  const chosen = iconName(tag.attributes.icon)
  return el(
    'aside',
    { className: ['hint', `hint-${style}`], role: 'note', ariaLabel: says },
    chosen === undefined ? icon(sign) : chosenIcon(chosen),
    el('div.flow', {}, scope.blocks(tag.children)),
  )
}

function renderCodeTag(tag: Tag, scope: Scope): Child {
  return withCode(tag, readCodeTag(tag.attributes), scope)
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
  const sign = chosenIcon(iconName(tag.attributes.icon) ?? 'wand-magic-sparkles')
  const title = el('span', {}, unseen('Prompt: '), words(tag.attributes.description) ?? 'Prompt')
  const head = el('p.prompt-head', {}, sign, title)
  return el('section.prompt', {}, head, withCode(tag, { isWrapped: true }, scope))
}

function renderUpdate(tag: Tag, scope: Scope): Hast {
  const date = words(tag.attributes.date) ?? ''
  const time = isDay(date)
    ? el('time', { dateTime: date }, DAY.format(new Date(date)))
    : date !== '' && el('time', {}, date)
  const badges = listed(tag.attributes.tags, TAGS_MAX).map(name => el('span.badge', {}, name))
  return el(
    'section.update',
    {},
    el('div.update-head', {}, time, badges),
    el('div.flow', {}, scope.blocks(tag.children)),
  )
}

const TAGS_MAX = 20

const isDay = (date: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(date) && !Number.isNaN(Date.parse(date))

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Whether a details element or prompt starts open. */
export const startsOpen = (attributes: Readonly<Record<string, string | boolean>>): boolean =>
  isOn(attributes.open ?? false) || attributes.defaultExpanded === 'full'
