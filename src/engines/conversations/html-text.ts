// The words of an HTML email or chat message, line by line, without quotes. Tags are read one after the other and no
// tree is built, so depth costs nothing.
import { type TokenizerCallbacks as Callbacks, Tokenizer } from 'htmlparser2'

/** Whether a body is HTML: it begins with a tag, or closes one that lays out text. */
export const isHtml = (body: string): boolean =>
  /^\s{0,100}<(?:!doctype|html|head|body|meta|p|div|span|table|br|h[1-6]|ul|ol|blockquote)\b/i.test(body) ||
  /<\/(?:p|div|span|table|td|html|body|blockquote|font)>|<br\s{0,5}\/?>/i.test(withoutCode(body))

const withoutCode = (markdown: string): string =>
  markdown
    .split(/```|`/)
    .filter((_, at) => at % 2 === 0)
    .join(' ')

const SKIPPED = new Set(['script', 'style', 'head', 'title', 'template', 'svg', 'math', 'object', 'select'])
const BREAKING = new Set([
  ...['p', 'div', 'br', 'tr', 'li', 'ul', 'ol', 'table', 'blockquote', 'pre', 'hr', 'section', 'article'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'footer', 'dt', 'dd'],
])
// An empty line separates paragraphs.
const PARAGRAPHS = new Set(['p', 'ul', 'ol', 'table', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'area', 'base', 'col', 'embed', 'wbr'])
/** Names that email programs give to quotes and signatures. */
const QUOTE =
  /gmail_(?:quote|extra|attr|signature)|yahoo_quoted|moz-(?:cite-prefix|signature)|protonmail_quote|zmail_extra|wordsection_quoted|outlookmessageheader|tutanota_quote|front-blockquote/i
/** Nothing of the message follows after these. */
const END = /^(?:divrplyfwdmsg|appendonsend|mail-editor-reference-message-container|x_divrplyfwdmsg)$/i

/** Newlines between lines, an empty line between paragraphs. */
export function htmlToText(html: string): string {
  const reader = new Reader(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  tokenizer.write(html)
  tokenizer.end()
  return reader.pieces.join('')
}

/** Attributes that say what an element is for. */
const TELLING = new Set(['class', 'id', 'style'])
const VALUE_CHARACTERS_MAX = 500

/** What the tokenizer calls: places in the text. */
class Reader implements Callbacks {
  readonly pieces: string[] = []
  readonly #html: string
  #name = ''
  #attribute = ''
  #attributes: Record<string, string> = {}
  // The element that is skipped, and how many elements of its name are open in it.
  #skipped = ''
  #depth = 0
  #isOver = false
  #isPreformatted = false

  constructor(html: string) {
    this.#html = html
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#nameAt(start, end)
    this.#attributes = {}
  }
  onattribname(start: number, end: number): void {
    this.#attribute = this.#nameAt(start, end)
  }
  onattribdata(start: number, end: number): void {
    if (!TELLING.has(this.#attribute)) return
    const value = this.#html.slice(start, Math.min(end, start + VALUE_CHARACTERS_MAX))
    this.#attributes[this.#attribute] = (this.#attributes[this.#attribute] ?? '') + value
  }
  onopentagend(): void {
    this.#open(this.#name)
  }
  onselfclosingtag(): void {
    this.#open(this.#name)
  }
  onclosetag(start: number, end: number): void {
    this.#close(this.#nameAt(start, end))
  }
  ontext(start: number, end: number): void {
    this.#say(this.#html.slice(start, end))
  }
  ontextentity(codepoint: number): void {
    this.#say(String.fromCodePoint(codepoint))
  }
  onattribentity(): void {}
  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, Math.min(end, start + NAME_CHARACTERS_MAX)).toLowerCase()
  }

  #say(text: string): void {
    if (this.#isOver || this.#skipped !== '') return
    this.pieces.push(this.#isPreformatted ? text : text.replaceAll(/\s+/g, ' '))
  }

  #open(name: string): void {
    if (this.#isOver) return
    if (this.#skipped !== '') {
      if (name === this.#skipped) this.#depth += 1
      return
    }
    if (END.test(this.#attributes.id ?? '')) {
      this.#isOver = true
    } else if (isSkipped(name, this.#attributes)) {
      this.#skipped = name
      this.#depth = 1
      this.pieces.push('\n')
    } else {
      this.pieces.push(before(name))
      if (name === 'pre') this.#isPreformatted = true
    }
  }

  #close(name: string): void {
    if (this.#isOver) return
    if (this.#skipped !== '') {
      if (name === this.#skipped) this.#depth -= 1
      if (this.#depth === 0) this.#skipped = ''
      return
    }
    if (name === 'pre') this.#isPreformatted = false
    this.pieces.push(after(name))
  }
}
const NAME_CHARACTERS_MAX = 40

function before(name: string): string {
  if (name === 'li') return '\n- '
  if (name === 'td' || name === 'th') return ' '
  return after(name)
}

function after(name: string): string {
  if (PARAGRAPHS.has(name)) return '\n\n'
  return BREAKING.has(name) ? '\n' : ''
}

function isSkipped(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (VOID.has(name)) return false
  return (
    SKIPPED.has(name) ||
    name === 'blockquote' ||
    QUOTE.test(attributes.class ?? '') ||
    QUOTE.test(attributes.id ?? '') ||
    /display\s?:\s?none/i.test(attributes.style ?? '')
  )
}
