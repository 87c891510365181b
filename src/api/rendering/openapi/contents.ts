// What a body has besides the fields of its first content type: its examples, and the other content types.
import { type Html, html } from '../../../base/html.ts'
import { renderCode, renderJson } from './code.ts'
import type { Content } from './document.ts'
import { renderShape, type Side } from './fields.ts'
import type { Shape } from './shape.ts'

/** Said where others follow. */
export const typeIfSeveral = ({ contentType, others = [] }: Partial<Content>): Html | false =>
  others.length > 0 && html`<p class="ref-whole"><code>${contentType ?? ''}</code></p>`

/** Those of the description by their names, else one. */
export const renderExamples = (content: Partial<Content>, made: () => unknown): Html =>
  content.named === undefined
    ? renderExample('Example', content.example ?? made())
    : html`${content.named.map(({ title, value }) => renderExample(title, value))}`

export const renderNamed = ({ named = [] }: Partial<Content>): Html =>
  html`${named.map(({ title, value }) => renderExample(title, value))}`

const renderExample = (title: string, value: unknown): Html =>
  typeof value === 'string' ? renderCode(title, 'program', value) : renderJson(title, value)

/** The same body in other content types, each folded away. */
export const renderOthers = (
  { others = [] }: Partial<Content>,
  toShape: (schema: unknown) => Shape,
  side: Side,
): Html =>
  html`${others.map(
    content => html`<details class="ref-nested"><summary><code>${content.contentType}</code></summary>${
      content.schema !== undefined && renderShape(toShape(content.schema), side)
    }${content.named === undefined ? content.example !== undefined && renderExample('Example', content.example) : renderNamed(content)}</details>
`,
  )}`
