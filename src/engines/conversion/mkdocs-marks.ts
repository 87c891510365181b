// Marks of the extensions that Material for MkDocs names (https://squidfunk.github.io/mkdocs-material/reference/), as HTML.
import type { Note, Tools } from './arrangement.ts'
import { changeOutside, htmlWords } from './lines.ts'

/** Attributes of Python-Markdown after words, links and headings: `{ .md-button target=_blank }`; `{#id}` stays. */
const ATTRIBUTES =
  /[ \t]?\{(?::|(?=[ \t]?\.))(?:(?:[ \t]+|(?<=\{:?))[.#]?[a-z_-][^\s{}"'=]*(?:=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s{}"']*))?)+[ \t]*\}/gi
/** A link with attributes. */
const BUTTON = /\[((?:\\[^[\n]|[^[\]\\\n])*)\]\(([^()\s]*)\)\{([^{}\n]*)\}/g
const BUTTON_CLASS = /(?:^|[\s:])\.md-button(?=[\s.]|$)/
const PRIMARY = /\.md-button--primary(?=[\s.]|$)/

/** `++ctrl+alt+del++`, `==marked==`, `^^inserted^^`, `x^2^`, `H~2~O`. Those of CriticMarkup are between braces. */
const MARKS =
  /(?<![\w+{])\+\+([a-z0-9][a-z0-9-]*(?:\+[a-z0-9][a-z0-9-]*)*)\+\+(?![\w+}])|(?<![=\\{])==([^\s=](?:[^=\n]*[^\s=])?)==(?![=}])|(?<![\^\\])\^\^([^\s^](?:[^^\n]*[^\s^])?)\^\^(?!\^)|(?<![\^\\[])\^([^\s^\]]+)\^(?!\^)|(?<![~\\])~([^\s~]+)~(?!~)/gi

/** What has no form here, and stays as written. */
const UNKNOWN: readonly (readonly [RegExp, Note])[] = [
  [/--8<--/, { reason: 'snippet', message: 'A snippet (--8<--) is not supported and stays as written.' }],
  [
    /\{(?:\+\+|--|~~|==|>>)[^{}\n]+(?:\+\+|--|~~|==|<<)\}/,
    { reason: 'critic', message: 'Tracked changes (CriticMarkup) are not supported and stay as written.' },
  ],
  [
    /:(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:/,
    { reason: 'icon', message: 'An icon between colons is not supported and stays as written.' },
  ],
]

export const notesOnMarks = (text: string): Note[] =>
  UNKNOWN.flatMap(([pattern, note]) => (pattern.test(text) ? [note] : []))

export function convertMarks(
  text: string,
  { codeIn, wordlessIn }: Pick<Tools, 'codeIn' | 'wordlessIn'>,
): string {
  const buttons = changeOutside(text, BUTTON, () => codeIn(text), toButton)
  const bare = changeOutside(
    buttons,
    ATTRIBUTES,
    () => codeIn(buttons),
    () => '',
  )
  return changeOutside(bare, MARKS, () => wordlessIn(bare), toElement)
}

function toButton([all, label = '', destination = '', attributes = '']: RegExpExecArray): string {
  if (!BUTTON_CLASS.test(attributes)) return all
  const look = PRIMARY.test(attributes) ? 'primary' : 'secondary'
  return `<a href="${htmlWords(destination).replaceAll('"', '&quot;')}" class="button ${look}">${label}</a>`
}

function toElement([all, keys, marked, inserted, raised, lowered]: RegExpExecArray): string {
  if (keys !== undefined)
    return keys
      .split('+')
      .map(key => `<kbd>${key}</kbd>`)
      .join('+')
  if (marked !== undefined) return `<mark>${marked}</mark>`
  if (inserted !== undefined) return `<ins>${inserted}</ins>`
  if (raised !== undefined) return `<sup>${raised}</sup>`
  return lowered === undefined ? all : `<sub>${lowered}</sub>`
}
