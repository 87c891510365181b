// The pages of a specification, as texts that the reader renders. Made once for each version.
import { plainWords } from '../engines/markdown/render/render.ts'
import { type OutlineOperation, type OutlinePage, outlineOf } from '../engines/openapi/outline.ts'
import type { PartName } from '../engines/openapi/parts.ts'

/** A text in Markdown; `heading` is the line above it where it is not a page of its own. */
export type OperationText = {
  readonly key: string
  readonly title: string
  readonly heading: string
  readonly text: string
  /** Characters of the part that it shows. */
  readonly size: number
}

export type PageText = {
  readonly key: string
  readonly title: string
  readonly icon?: string
  readonly description?: string
  readonly text: string
  readonly operations: readonly OperationText[]
  readonly pages: readonly PageText[]
}

export type SpecificationOutline = {
  readonly info: readonly PageText[]
  readonly tags: readonly PageText[]
  readonly models: readonly OperationText[]
}

/** Characters of a part as JSON. */
export type SizeOf = (name: PartName) => number

/** @param slug the name of the specification in blocks */
export function specificationOutline(document: unknown, slug: string, sizeOf: SizeOf): SpecificationOutline {
  const { info, tags, models } = outlineOf(document)
  const toText = ({ operations, pages, text, ...page }: OutlinePage): PageText => ({
    ...page,
    text: asMarkdown(text),
    operations: operations.map(operation => ({
      ...toOperation(operation, slug),
      size: sizeOf([operation.kind, operation.method, operation.path]),
    })),
    pages: pages.map(toText),
  })
  return {
    info: info.map(toText),
    tags: tags.map(toText),
    models: models.filter(canBeNamed).map(name => ({
      key: `model-${name}`,
      title: name,
      heading: `## ${plainWords(name)}`,
      text: `{% openapi-schemas spec="${slug}" schemas="${quoted(name)}" headless="true" %}\n{% endopenapi-schemas %}`,
      size: sizeOf(['schema', name]),
    })),
  }
}

function toOperation(
  { kind, method, path, title, text }: OutlineOperation,
  slug: string,
): Omit<OperationText, 'size'> {
  const attribute = kind === 'webhook' ? 'name' : 'path'
  const block = isQuotable(path)
    ? `{% openapi-${kind} spec="${slug}" ${attribute}="${quoted(path)}" method="${method}" headless="true" %}\n{% endopenapi-${kind} %}`
    : plainWords(`${method.toUpperCase()} ${path}`)
  const words = asMarkdown(text)
  return {
    key: `${kind}-${method}-${path}`,
    title,
    heading: `## ${plainWords(title)}`,
    text: words === '' ? block : `${words}\n\n${block}`,
  }
}

// A tag ends at its closing signs, even within quotes.
const isQuotable = (text: string): boolean => !/%\}|[\r\n]/.test(text)
/** Several names are separated by commas. */
const canBeNamed = (name: string): boolean => isQuotable(name) && !name.includes(',')
const quoted = (text: string): string => text.replace(/["\\]/g, '\\$&')

/**
 * A description as part of a page: it cannot begin a block that extends beyond its end. Headings are below those of
 * the page; HTML and lookalikes of our tags become words.
 */
export function asMarkdown(description: string): string {
  let fence = ''
  const rows = description
    .replaceAll('\r\n', '\n')
    .trim()
    .split('\n')
    .map(row => {
      const mark = /^[ \t]*(`{3,}|~{3,})/.exec(row)?.[1] ?? ''
      if (fence !== '') {
        if (mark.startsWith(fence) && row.trim() === mark) fence = ''
        return row
      }
      if (mark !== '') {
        fence = mark
        return row
      }
      return row
        .replace(/<br ?\/?>/gi, ' ')
        .replace(/<\/?[a-z][^<>\n]{0,200}>/gi, tag => (/^<https?:/i.test(tag) ? tag : ''))
        .replace(/<(?=[a-z!?/])(?!https?:)/gi, '&lt;')
        .replaceAll('{%', '&#123;%')
        .replace(
          /^( {0,3})(#{1,6})(?=[ \t])/,
          (_, blank: string, signs: string) => `${blank}${'#'.repeat(Math.min(6, signs.length + 2))}`,
        )
        .replace(/^ {0,3}(?:---+|===+)[ \t]*$/, '')
        .replace(/^ {0,3}\$\$/, '\\$$$$')
    })
  return (fence === '' ? rows : [...rows, fence]).join('\n').trim()
}
