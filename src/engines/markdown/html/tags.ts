// GitBook's `{% tags %}`, one renderer each. A tag that is not known shows what stands in it.
import type { Node, Tag } from '../ast.ts'
import { type Child, el, type Hast, icon, unseen } from './build.ts'
import { readCodeTag, renderCode } from './code.ts'
import { hostOf, renderLinkCard, resolve } from './links.ts'
import { iconName, isOn, percent, words } from './names.ts'
import { renderOperation, renderSchemas } from './operations.ts'
import { isBlank } from './pictures.ts'
import type { Scope } from './scope.ts'
import { renderTabs } from './tabs.ts'

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

/** Tags that say all in themselves; every other one is a mistake without its end. */
const ALONE: ReadonlySet<string> = new Set([
  'embed',
  'file',
  'content-ref',
  'include',
  'openapi',
  'swagger',
  'openapi-operation',
  'openapi-webhook',
  'openapi-schemas',
])

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
  if (!tag.isClosed && !ALONE.has(tag.name)) {
    scope.report('unclosed_tag', `{% ${tag.name} %} has no {% end${tag.name} %}`, tag)
    return showChildren(tag, scope)
  }
  return render(tag, scope)
}

const showChildren = (tag: Tag, scope: Scope): Child =>
  tag.isInline ? scope.inlines(tag.children) : scope.blocks(tag.children)

/** `{% @arcade/embed url="…" %}`: a block that a program outside draws. Its address is what the reader can show. */
function renderIntegration(tag: Tag, scope: Scope): Child {
  const url = words(tag.attributes.url)
  const inside = scope.blocks(tag.children)
  if (url !== undefined) return [embedCard(url, tag, scope), inside]
  if (inside.length > 0) return inside
  const name = tag.name.slice(1, 80).split('/')[0] ?? ''
  return el(
    'p',
    { className: 'absent' },
    icon('puzzle-piece'),
    ' A block of the integration ',
    el('code', {}, name),
    ' stands here.',
  )
}

/** A tag of another language (Jinja, Liquid) in prose means itself. */
function sourceOf(tag: Tag): Child {
  const source = `{% ${tag.name}${tag.argument === '' ? '' : ` ${tag.argument.trim()}`} %}`
  return tag.isInline ? source : el('p', {}, source)
}

/** `{% vars.name %}`, however the parser split it. */
function variableOf(tag: Tag): string | undefined {
  const match = /^(?:space\.|page\.)?vars\.([\w-]{1,100})$/.exec(`${tag.name}${tag.argument.trim()}`)
  return match?.[1]
}

export function variableText(name: string, scope: Scope): Child {
  const { variables } = scope.options
  if (variables !== undefined && Object.hasOwn(variables, name)) return String(variables[name])
  return el('code', {}, name)
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
  return el(
    'aside',
    { className: ['hint', `hint-${style}`], role: 'note', ariaLabel: look?.says ?? null },
    icon(iconName(tag.attributes.icon) ?? look?.icon ?? 'circle-info'),
    el('div', { className: 'flow' }, scope.blocks(tag.children)),
  )
}

function renderCodeTag(tag: Tag, scope: Scope): Child {
  const look = readCodeTag(tag.attributes)
  return tag.children.map(child =>
    child.type === 'code' ? renderCode(child, look, scope) : scope.blocks([child]),
  )
}

function renderStepper(tag: Tag, scope: Scope): Hast {
  const steps = tag.children
    .filter(child => !isBlank(child))
    .map(child => {
      const step = child.type === 'tag' && child.name === 'step' ? child : undefined
      const name = iconName(step?.attributes.icon)
      return el(
        'li',
        { className: name === undefined ? ['step'] : ['step', 'has-icon'] },
        name !== undefined && icon(name, 'step-icon'),
        el('div', { className: 'flow' }, scope.blocks(step?.children ?? [child])),
      )
    })
  return el('ol', { className: 'stepper', role: 'list' }, steps)
}

const COLUMN_UNITS = 24
const COLUMN_UNITS_MIN = 3
const VERTICAL: ReadonlySet<string> = new Set(['top', 'middle', 'bottom'])

/** Widths become spans of a 24-part grid, so that no inline style is needed. Columns without one share the rest. */
function renderColumns(tag: Tag, scope: Scope): Hast {
  const columns = tag.children.filter(
    (child): child is Tag => child.type === 'tag' && child.name === 'column',
  )
  if (columns.length === 0) return el('div', {}, scope.blocks(tag.children))
  const wanted = columns.map(column => percent(words(column.attributes.width)))
  const used = wanted.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const rest = Math.max(0, 100 - used) / Math.max(1, wanted.filter(width => width === undefined).length)
  return el(
    'div',
    { className: 'columns' },
    columns.map((column, index) => {
      const share = ((wanted[index] ?? rest) / 100) * COLUMN_UNITS
      const units = Math.min(COLUMN_UNITS - COLUMN_UNITS_MIN, Math.max(COLUMN_UNITS_MIN, Math.round(share)))
      const vertical = String(column.attributes.valign ?? column.attributes.verticalAlignment ?? '')
      const classes = ['column', 'flow', `span-${columns.length === 1 ? COLUMN_UNITS : units}`]
      return el(
        'div',
        { className: VERTICAL.has(vertical) ? [...classes, vertical] : classes },
        scope.blocks(column.children),
      )
    }),
  )
}

/** Players by host: shown as a link, since a frame of a stranger's page is a stranger in the reader. */
const PLAYERS: Readonly<Record<string, string>> = {
  'youtube.com': 'Watch on YouTube',
  'youtu.be': 'Watch on YouTube',
  'youtube-nocookie.com': 'Watch on YouTube',
  'vimeo.com': 'Watch on Vimeo',
  'player.vimeo.com': 'Watch on Vimeo',
  'loom.com': 'Watch on Loom',
}

function renderEmbed(tag: Tag, scope: Scope): Child {
  const url = words(tag.attributes.url)
  if (url === undefined) return scope.blocks(tag.children)
  const caption = scope.blocks(tag.children)
  const card = embedCard(url, tag, scope)
  return caption.length === 0
    ? card
    : el('figure', {}, card, el('figcaption', { className: 'card-caption' }, caption))
}

export function embedCard(url: string, at: Node, scope: Scope): Hast {
  const target = resolve(scope, url, 'embed', at)
  const host = hostOf(target.href ?? url)
  const player = host !== undefined && Object.hasOwn(PLAYERS, host) ? PLAYERS[host] : undefined
  const shown = (target.href ?? url).replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return renderLinkCard({
    target,
    kind: 'embed',
    icon: player === undefined ? 'globe' : 'circle-play',
    title: target.label ?? player ?? host ?? shown,
    text: target.description ?? shown.slice(0, 120),
  })
}

function renderFile(tag: Tag, scope: Scope): Child {
  const src = words(tag.attributes.src)
  if (src === undefined) return scope.blocks(tag.children)
  const caption = scope.blocks(tag.children)
  const target = resolve(scope, src, 'file', tag)
  const card = renderLinkCard({
    target,
    kind: 'file',
    icon: 'file',
    title: target.label ?? lastSegment(src),
    text: target.description ?? 'File',
    says: 'Download',
  })
  return caption.length === 0
    ? card
    : el('figure', {}, card, el('figcaption', { className: 'card-caption' }, caption))
}

function lastSegment(path: string): string {
  const name = path.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? path
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function renderContentRef(tag: Tag, scope: Scope): Child {
  const url = words(tag.attributes.url) ?? firstLink(tag.children)
  if (url === undefined) return scope.blocks(tag.children)
  const target = resolve(scope, url, 'content-ref', tag)
  return renderLinkCard({
    target,
    kind: 'content-ref',
    icon: 'file-lines',
    title: target.label ?? lastSegment(url).replace(/\.md$/i, ''),
    text: target.description,
  })
}

function firstLink(nodes: readonly Node[]): string | undefined {
  for (const node of nodes) {
    if (node.type === 'link') return node.url
    const below = 'children' in node ? firstLink(node.children) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** `{% include "../.gitbook/includes/note.md" %}` */
function renderInclude(tag: Tag, scope: Scope): Child {
  const path = /["“”]([^"“”]+)["“”]/.exec(tag.argument)?.[1] ?? tag.argument.trim()
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
      icon(iconName(tag.attributes.icon) ?? 'wand-sparkles'),
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
