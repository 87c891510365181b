// Shapes as lists of fields: name, type, bounds, values, and nested parts in a disclosure that needs no script.
import { type Html, html } from '../../../base/html.ts'
import type { NamedExample, Parameter } from './document.ts'
import { renderProse } from './prose.ts'
import type { Field, Shape } from './shape.ts'

/**
 * Who reads the fields: people who write a body need to know what is required, people who read a reply what may be
 * absent.
 */
export type Side = 'request' | 'reply'

// A longer list of values is folded after this many.
const VALUES_SHOWN = 14
// An envelope with few fields is shown open, so that its contents are visible at once.
const FIELDS_OPEN_MAX = 4

export const schemaHref = (model: string): string =>
  `/docs/schemas/${encodeURIComponent(model.toWellFormed())}`

/** A whole body: a line with its type, then its parts. */
export function renderShape(shape: Shape, side: Side): Html {
  const isPlain = shape.fields.length === 0 && shape.options.length === 0
  const saysMore = isPlain || shape.model !== undefined || shape.type.startsWith('array')
  return html`${saysMore && html`<p class="ref-whole">${typeOf(shape)}${marksOf(shape)}</p>`}${
    isPlain && html`${prose(shape)}${values(shape)}`
  }${partsOf(shape, side, shape.fields.length <= FIELDS_OPEN_MAX)}`
}

/** Its fields and alternatives; `opensNested` opens what is below them. */
function partsOf(shape: Shape, side: Side, opensNested: boolean): Html {
  const fields = shape.fields.map(field => renderField(field, side, opensNested))
  const options = shape.options.map((option, index) => renderOption(option, index, side))
  return html`${fields.length > 0 && html`<ul class="ref-fields" role="list">${fields}</ul>`}${
    options.length > 0 && html`<ul class="ref-options" role="list">${options}</ul>`
  }`
}

function renderField({ name, isRequired, shape }: Field, side: Side, isOpen: boolean, below?: Html): Html {
  const presence =
    side === 'request'
      ? isRequired && html`<span class="ref-required">required</span>`
      : !isRequired && html`<span class="ref-optional">may be absent</span>`
  return html`<li class="ref-field">
<p class="ref-field-head"><code class="ref-name">${name}</code>${typeOf(shape)}${presence}${marksOf(shape)}</p>
${prose(shape)}${values(shape)}${below}${nested(shape, side, isOpen)}</li>
`
}

function renderOption(option: Shape, index: number, side: Side): Html {
  const label = labelOf(option)
  const isOpen = option.fields.length <= FIELDS_OPEN_MAX
  return html`<li class="ref-option">
<p class="ref-field-head"><span class="ref-or">${index === 0 ? 'either' : 'or'}</span>${
    label !== undefined && html`<code class="ref-name">${label}</code>`
  }${typeOf(option)}${marksOf(option)}</p>
${prose(option)}${values(option)}${nested(option, side, isOpen)}</li>
`
}

/** A field with a single value distinguishes alternatives: `type: rules`. */
function labelOf({ fields }: Shape): string | undefined {
  const told = fields.find(field => field.isRequired && field.shape.values.length === 1)
  return told === undefined ? undefined : `${told.name}: ${told.shape.values[0]}`
}

function nested(shape: Shape, side: Side, isOpen: boolean): Html | null {
  const { fields, options } = shape
  if (fields.length === 0 && options.length === 0) return null
  const words =
    fields.length > 0
      ? `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`
      : `${options.length} alternatives`
  return html`<details class="ref-nested"${isOpen && html` open`}><summary>${words}</summary>${partsOf(shape, side, false)}</details>`
}

const typeOf = ({ type, model }: Shape): Html => {
  if (model === undefined) return html`<span class="ref-type">${type}</span>`
  const [before, after] = type.includes(model) ? type.split(model, 2) : [`${type} `, '']
  return html`<span class="ref-type">${before}<a href="${schemaHref(model)}">${model}</a>${after}</span>`
}

const PATTERN = 'matches '

function marksOf({ isDeprecated, isReadOnly, facts }: Shape): Html {
  const words = (fact: string): Html =>
    fact.startsWith(PATTERN) ? html`${PATTERN}<code>${fact.slice(PATTERN.length)}</code>` : html`${fact}`
  return html`${isDeprecated && html`<span class="ref-deprecated">deprecated</span>`}${
    isReadOnly && html`<span class="ref-fact">read only</span>`
  }${facts.map(fact => html`<span class="ref-fact">${words(fact)}</span>`)}`
}

const prose = ({ description }: Shape): Html | false =>
  description !== '' && html`<div class="ref-prose">${renderProse(description)}</div>`

function values({ values: all }: Shape): Html | null {
  if (all.length === 0) return null
  const codes = (some: readonly string[]): Html[] => some.map(value => html`<code>${value}</code> `)
  const rest = all.slice(VALUES_SHOWN)
  return html`<div class="ref-values">${all.length === 1 ? 'Always' : 'One of'} ${codes(all.slice(0, VALUES_SHOWN))}${
    rest.length > 0 && html`<details><summary>and ${rest.length} more</summary>${codes(rest)}</details>`
  }</div>`
}

/** The places of parameters, with the titles of their lists. */
export const WHERES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const

/** Parameters of one place. Those of the path are ids, whose format is not shown. */
export function renderParameters(
  parameters: readonly Parameter[],
  toShape: (schema: unknown) => Shape,
): Html {
  const fields = parameters.map(
    ({ name, where, isRequired, isDeprecated, description, schema, examples }) => {
      const shape = toShape(schema)
      const facts = where === 'path' ? [] : shape.facts
      return renderField(
        {
          name,
          isRequired,
          shape: {
            ...shape,
            facts,
            description: description || shape.description,
            isDeprecated: isDeprecated || shape.isDeprecated,
          },
        },
        'request',
        false,
        html`${examples.map(renderParameterExample)}`,
      )
    },
  )
  return html`<ul class="ref-fields" role="list">${fields}</ul>`
}

/** Longer values of parameters are cut. */
const EXAMPLE_CHARACTERS_MAX = 1_000

const renderParameterExample = ({ title, value }: NamedExample): Html =>
  html`<div class="ref-values">${title || 'Example'} <code>${parameterText(value)}</code></div>`

/** The value of a parameter in one line. */
export function parameterText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > EXAMPLE_CHARACTERS_MAX ? `${text.slice(0, EXAMPLE_CHARACTERS_MAX)}…` : text
}
