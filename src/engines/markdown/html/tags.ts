// GitBook's `{% tags %}`, one renderer each. A tag that is not known shows what stands in it.
import { includedPath, type Tag, variableOf } from '../syntax/syntax.ts'
import { type Child, chosenIcon, el, type Hast, icon, unseen } from './build.ts'
import { readCodeTag, renderCode } from './code.ts'
import { renderColumns, renderStepper } from './layouts.ts'
import { iconName, isOn, words } from './names.ts'
import { renderOperation, renderSchemas } from './operations.ts'
import { renderContentRef, renderEmbed, renderFile, renderIntegration } from './references.ts'
import type { Scope } from './scope.ts'
import { renderTabs } from './tabs.ts'
import { variableText } from './variables.ts'

type TagRenderer = (tag: Tag, scope: Scope) => Child

const RENDERERS: Readonly<Record<string, TagRenderer>> = {
  hint: renderHint,
  tabs: renderTabs,
  tab: (tag, scope) => scope.blocks(tag.children),
  code: renderCodeTag,
  stepper: renderStepper,
  step: (tag, scope) => scope.blocks(tag.children),
  columns: renderColumns,
  column: (tag, scope) => scope.blocks(tag.children),
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
  updates: (tag, scope) => el('div', { className: 'updates' }, scope.blocks(tag.children)),
  update: renderUpdate,
  math: (tag, scope) => scope.blocks(tag.children),
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

/** A tag of another language (Jinja, Liquid) in prose means itself. */
function sourceOf(tag: Tag): Child {
  const source = `{% ${tag.name}${tag.argument === '' ? '' : ` ${tag.argument.trim()}`} %}`
  return tag.isInline ? source : el('p', {}, source)
}

const HINTS: Readonly<Record<string, { icon: string; says: string }>> = {
  info: { icon: 'circle-info', says: 'Note' },
  success: { icon: 'circle-check', says: 'Success' },
  warning: { icon: 'triangle-exclamation', says: 'Warning' },
  danger: { icon: 'circle-exclamation', says: 'Danger' },
}

function renderHint(tag: Tag, scope: Scope): Hast {
  const asked = String(tag.attributes.style ?? tag.attributes.type ?? 'info')
  const style = Object.hasOwn(HINTS, asked) ? asked : 'info'
  const look = HINTS[style]
  const chosen = iconName(tag.attributes.icon)
  return el(
    'aside',
    { className: ['hint', `hint-${style}`], role: 'note', ariaLabel: look?.says ?? null },
    chosen === undefined ? icon(look?.icon ?? 'circle-info') : chosenIcon(chosen),
    el('div', { className: 'flow' }, scope.blocks(tag.children)),
  )
}

function renderCodeTag(tag: Tag, scope: Scope): Child {
  const look = readCodeTag(tag.attributes)
  return tag.children.map(child =>
    child.type === 'code' ? renderCode(child, look, scope) : scope.blocks([child]),
  )
}

function renderInclude(tag: Tag, scope: Scope): Child {
  const path = includedPath(tag)
  return path === '' ? null : scope.include(path, tag)
}

/** Conditions ask about a visitor whom the reader does not know yet: the content is shown, and when it is meant. */
function renderCondition(tag: Tag, scope: Scope): Hast {
  return el(
    'div',
    { className: 'condition' },
    el(
      'p',
      { className: 'condition-label' },
      'Shown when ',
      el('code', {}, tag.argument.trim().slice(0, 300) || 'true'),
    ),
    scope.blocks(tag.children),
  )
}

function renderPrompt(tag: Tag, scope: Scope): Hast {
  return el(
    'section',
    { className: 'prompt' },
    el(
      'p',
      { className: 'prompt-head' },
      chosenIcon(iconName(tag.attributes.icon) ?? 'wand-magic-sparkles'),
      el('span', {}, unseen('Prompt: '), words(tag.attributes.description) ?? 'Prompt'),
    ),
    tag.children.map(child =>
      child.type === 'code' ? renderCode(child, { isWrapped: true }, scope) : scope.blocks([child]),
    ),
  )
}

function renderUpdate(tag: Tag, scope: Scope): Hast {
  const date = words(tag.attributes.date)
  const tags = (words(tag.attributes.tags) ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
    .slice(0, 20)
  return el(
    'section',
    { className: 'update' },
    el(
      'div',
      { className: 'update-head' },
      date !== undefined &&
        el('time', { dateTime: isDay(date) ? date : null }, isDay(date) ? dayInWords(date) : date),
      tags.map(name => el('span', { className: 'badge' }, name)),
    ),
    el('div', { className: 'flow' }, scope.blocks(tag.children)),
  )
}

const isDay = (date: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(date) && !Number.isNaN(Date.parse(date))

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const dayInWords = (date: string): string => DAY.format(new Date(date))

/** Whether a details element or prompt starts open. */
export const startsOpen = (attributes: Readonly<Record<string, string | boolean>>): boolean =>
  isOn(attributes.open ?? false) || attributes.defaultExpanded === 'full'
