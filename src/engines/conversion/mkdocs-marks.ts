// Marks of the extensions that Material for MkDocs names (https://squidfunk.github.io/mkdocs-material/reference/), as HTML.
import type { Note, Tools } from './arrangement.ts'
import { changeLines, changeOutside, htmlWords } from './lines.ts'

/** Attributes of Python-Markdown after words, links and headings: `{ .md-button target=_blank }`; `{#id}` stays. */
const ATTRIBUTES =
  /[ \t]?\{(?::|(?=[ \t]?\.))(?:(?:[ \t]+|(?<=\{:?))[.#]?[a-z_-][^\s{}"'=]*(?:=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s{}"']*))?)+[ \t]*\}/gi
/** A link or an image with attributes. */
const LINK = /(!?)\[((?:\\[^[\n]|[^[\]\\\n])*)\]\(([^()\s]*)\)\{([^{}\n]*)\}/g
/** One attribute: a class, an id, or a name with a value. */
const ATTRIBUTE = /(?:[.#][^\s{}"'=]+|[a-z_-][^\s{}"'=]{0,99}=(?:"[^"]*"|'[^']*'|[^\s"']*))/gi
const SIZE = /(?:^|\s)(width|height)=["']?(\d{1,4})(?:px)?["']?(?=\s|$)/gi
/** Attributes that a reader does not miss: how a browser loads something, and where it opens it. */
const UNMISSED = /(?:^|\s)(?:target|rel|loading|decoding)=(?:"[^"]*"|'[^']*'|[^\s"']*)/gi
const BUTTON_CLASS = /(?:^|[\s:])\.md-button(?=[\s.]|$)/
const PRIMARY = /\.md-button--primary(?=[\s.]|$)/

/** `++ctrl+alt+del++`, `++"Any key"++`, `==marked==`, `^^inserted^^`, `x^2^`, `H~2~O`. Those of CriticMarkup are between braces. */
const MARKS =
  /(?<![\w+{])\+\+((?:[a-z0-9][a-z0-9-]*|"[^"+\n]+")(?:\+(?:[a-z0-9][a-z0-9-]*|"[^"+\n]+"))*)\+\+(?![\w+}])|(?<![=\\{])==([^\s=](?:[^=\n]*[^\s=])?)==(?![=}])|(?<![\^\\])\^\^([^\s^](?:[^^\n]*[^\s^])?)\^\^(?!\^)|(?<![\^\\[])\^([^\s^\]]+)\^(?!\^)|(?<![~\\])~([^\s~]+)~(?!~)/gi

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
  [
    /^[ \t]*\*\[[^\]\n]+\]:/m,
    { reason: 'abbreviation', message: 'An abbreviation (*[HTML]:) is not supported and stays as written.' },
  ],
  [
    /^[ \t]*:[ \t]{3}/m,
    { reason: 'definition', message: 'A list of definitions is not supported and stays as written.' },
  ],
  [
    /^[ \t]*\[TOC\][ \t]*$/m,
    { reason: 'contents', message: 'A table of contents ([TOC]) is not supported and stays as written.' },
  ],
]

const ATTRIBUTES_LOST: Note = {
  reason: 'attributes',
  message: 'Attributes between braces, such as { .class }, have no form here and are left out.',
}

const notesOnMarks = (text: string): Note[] =>
  UNKNOWN.flatMap(([pattern, note]) => (pattern.test(text) ? [note] : []))

/** The text with its marks as HTML, and what of them is lost or stays as written. */
export function convertMarks(
  text: string,
  { codeIn, wordlessIn }: Pick<Tools, 'codeIn' | 'wordlessIn'>,
): { readonly text: string; readonly notes: Note[] } {
  let isLost = false
  const headed = changeLines(text, line => {
    const found = headingWithId(line)
    isLost ||= found.isLost
    return found.line
  })
  const linked = changeOutside(
    headed,
    LINK,
    () => codeIn(headed),
    found => {
      const link = toLink(found)
      isLost ||= link.isLost
      return link.text
    },
  )
  const bare = changeOutside(
    linked,
    ATTRIBUTES,
    () => codeIn(linked),
    () => {
      isLost = true
      return ''
    },
  )
  return {
    text: changeOutside(bare, MARKS, () => wordlessIn(bare), toElement),
    notes: [...notesOnMarks(text), ...(isLost ? [ATTRIBUTES_LOST] : [])],
  }
}

/** `## Words { #id .class }` as `## Words {#id}`. */
function headingWithId(line: string): { readonly line: string; readonly isLost: boolean } {
  const whole = { line, isLost: false }
  const end = line.trimEnd()
  const start = end.lastIndexOf('{')
  if (!/^#{1,6}[ \t]/.test(line) || start < 0 || !end.endsWith('}')) return whole
  const attributes = attributesIn(end.slice(start + 1, -1))
  if (attributes === undefined) return whole
  const id = attributes.find(one => one.startsWith('#'))
  const words = end.slice(0, start).trimEnd()
  return { line: id === undefined ? words : `${words} {${id}}`, isLost: attributes.some(one => one !== id) }
}

/** Undefined if the words between braces are no attributes. */
function attributesIn(text: string): readonly string[] | undefined {
  const written = text.replace(/^:/, '').trim()
  const attributes = written.match(ATTRIBUTE) ?? []
  return attributes.length > 0 && written.replace(ATTRIBUTE, '').trim() === '' ? attributes : undefined
}

function toLink([all, mark = '', label = '', destination = '', given = '']: RegExpExecArray): {
  readonly text: string
  readonly isLost: boolean
} {
  const attributes = attributesIn(given)
  if (attributes === undefined) return { text: all, isLost: false }
  const address = htmlWords(destination).replaceAll('"', '&quot;')
  const words = attributes.join(' ')
  if (mark === '!') {
    const sizes = Array.from(words.matchAll(SIZE), ([, name, value]) => ` ${name?.toLowerCase()}="${value}"`)
    const isLost = words.replace(SIZE, '').replace(UNMISSED, '').trim() !== ''
    if (sizes.length === 0) return { text: `![${label}](${destination})`, isLost }
    const alt = htmlWords(label).replaceAll('"', '&quot;')
    return { text: `<img src="${address}" alt="${alt}"${sizes.join('')}>`, isLost }
  }
  if (!BUTTON_CLASS.test(words)) {
    return { text: `[${label}](${destination})`, isLost: words.replace(UNMISSED, '').trim() !== '' }
  }
  const look = PRIMARY.test(words) ? 'primary' : 'secondary'
  return { text: `<a href="${address}" class="button ${look}">${label}</a>`, isLost: false }
}

function toElement([all, keys, marked, inserted, raised, lowered]: RegExpExecArray): string {
  if (keys !== undefined)
    return keys
      .split('+')
      .map(key => `<kbd>${htmlWords(key.replaceAll('"', ''))}</kbd>`)
      .join('+')
  if (marked !== undefined) return `<mark>${marked}</mark>`
  if (inserted !== undefined) return `<ins>${inserted}</ins>`
  if (raised !== undefined) return `<sup>${raised}</sup>`
  return lowered === undefined ? all : `<sub>${lowered}</sub>`
}
