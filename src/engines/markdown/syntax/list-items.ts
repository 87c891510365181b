// Which lines begin an item of a list for certain, read without the parser: a bullet indented four columns more than
// the innermost item around it goes on with the paragraph above (CommonMark 0.31.2, §5.2). Where a line may end the
// items around it or begin what holds no items, as code and HTML do, they count as ended until others begin.
import { matchAt } from './sticky.ts'

/** The parser nests no deeper. */
const ITEMS_MAX = 100

/** Of an item that is open, but may not be the innermost any more. */
const UNKNOWN = Number.POSITIVE_INFINITY

const INDENTATION = /[ \t]*/y
const MARKER = /(?:[-+*]|\d{1,9}[.)]|\[\^[\w-]{1,100}\]:)(?=[ \t]+\S)/y
/** More columns than these behind a marker are code in the item. */
const CODE_INDENT = 4
/** Of what a footnote holds. */
const FOOTNOTE_INDENT = 4
/** What can be nothing but words, at the beginning of a paragraph or inside one. */
const WORDS =
  /(?:(?!\d{1,9}[.)](?:[ \t]|$))[\p{L}\p{N}"'(]|[^\x00-\x7f]|\*{1,3}[^\s*]|_{1,3}[^\s_]|`{1,2}[^`]|!\[|\[[^[\]\\]*(?:\](?!:)|\[))/uy
/** Behind these may be anything until the item around them ends. */
const FENCE = /```|~~~|\$\$/
/** HTML that ends in any line with a `>` (CommonMark 0.31.2, §4.6). */
const ENDLESS_HTML = /<(?:[!?]|(?:pre|script|style|textarea)\b)/i

export class ListItems {
  /** Columns of the content of the items that are open for certain, outermost first. */
  #open: number[] = []
  /**
   * The line before is one of a paragraph in the innermost of them, which goes on whatever the next one's indentation.
   */
  #isInParagraph = false
  #isAfterBlank = true
  /** The lines before may end in indented code or a definition, which hold back a number as a paragraph does. */
  #mayBeInCode = false
  /** Of the bullet in the line before. */
  #bulletIndent: number | undefined
  #mayBeInFence = false
  #mayBeInHtml = false
  #isLost = false

  addBlank(): void {
    this.#isAfterBlank = true
    this.#isInParagraph = false
    this.#bulletIndent = undefined
    if (this.#mayBeInHtml) this.#open = []
    this.#mayBeInHtml = false
  }

  /** Reads a line that is not blank. True where it begins an item, or is in no paragraph. */
  beginsWith(line: string): boolean {
    const indent = columnAfter(line, 0, 0)
    const marker = matchAt(MARKER, line, indent.at)
    const isBullet = marker !== null && marker[0].length === 1
    if (indent.column === 0 && this.#mayBeInFence) {
      this.#mayBeInFence = this.#isInParagraph = false
      this.#open = []
    }
    const around = this.#open.filter(column => column <= indent.column)
    const isNear = indent.column - (around.at(-1) ?? 0) < 4
    // In a paragraph only a list that begins with 1 can begin.
    const mayInterrupt = isBullet || /^1.$/.test(marker?.[0] ?? '')
    const isItem =
      marker !== null &&
      isNear &&
      (!marker[0].startsWith('[') || indent.column === 0) &&
      (mayInterrupt || around.length < this.#open.length || (this.#isAfterBlank && !this.#mayBeInCode))
    // Where the items around are not known: as the bullet above, or code as that is.
    const isSibling = isBullet && (this.#isAfterBlank || indent.column === this.#bulletIndent)
    if (marker === null) this.#readText(line, indent.at, around, isNear)
    else this.#readMarked(line, indent, marker[0], around, isItem)
    if (this.#isLost && line.includes('>')) this.#open = []
    this.#mayBeInCode = !isNear || this.#holdsBackNumbers(line, indent, marker?.[0], around.length > 0)
    this.#isAfterBlank = false
    this.#bulletIndent = isBullet && (isItem || isSibling) ? indent.column : undefined
    return isItem || isSibling
  }

  /**
   * Whether the next number may be held back: by code in an item, by a definition, or by such a line above, up to a
   * paragraph that begins in no item.
   */
  #holdsBackNumbers(line: string, indent: Place, marker: string | undefined, isInItem: boolean): boolean {
    if (line.includes(']:')) return true
    if (marker === undefined)
      return (
        this.#mayBeInCode && !(this.#isAfterBlank && !isInItem && matchAt(WORDS, line, indent.at) !== null)
      )
    const end = afterMarker(indent, marker)
    return this.#mayBeInCode || columnAfter(line, end.at, end.column).column - end.column > CODE_INDENT
  }

  #readMarked(line: string, indent: Place, marker: string, around: number[], isItem: boolean): void {
    const end = afterMarker(indent, marker)
    const content = columnAfter(line, end.at, end.column)
    const isCode = content.column - end.column > CODE_INDENT
    const isWords = !isCode && matchAt(WORDS, line, content.at) !== null
    const goesOn = !isItem && this.#isInParagraph && this.#open.length > 0
    this.#open = goesOn && around.length === 0 ? [UNKNOWN] : around
    this.#isInParagraph = isItem && isWords && !this.#isDoubtful
    if (!isWords) this.#doubt(line)
    if (!isItem) return
    // It may be a thematic break, or more than one item.
    if (!isWords && /[-*_+\d]/.test(line.charAt(content.at))) this.#open = []
    else if (around.length < ITEMS_MAX) {
      const column = isCode ? end.column + 1 : content.column
      this.#open = [...around, marker.startsWith('[') ? FOOTNOTE_INDENT : column]
    }
  }

  #readText(line: string, at: number, around: number[], isNear: boolean): void {
    const isWords = matchAt(WORDS, line, at) !== null
    if (!isWords || this.#isDoubtful) {
      this.#open = []
      this.#isInParagraph = false
      if (!isWords) this.#doubt(line)
    } else if (!this.#isInParagraph) {
      this.#open = around
      this.#isInParagraph = isNear
    }
  }

  get #isDoubtful(): boolean {
    return this.#mayBeInFence || this.#mayBeInHtml || this.#isLost
  }

  #doubt(line: string): void {
    // What begins without indentation is in no item, and ends with a line that is no words either.
    const fence = line.search(FENCE)
    if (fence > 0) this.#mayBeInFence = true
    if (line.includes('<')) this.#mayBeInHtml = true
    if (ENDLESS_HTML.test(line)) this.#isLost = true
  }
}

type Place = { readonly at: number; readonly column: number }

const afterMarker = ({ at, column }: Place, marker: string): Place => ({
  at: at + marker.length,
  column: column + marker.length,
})

/** Where the blanks from a place on end; a tab goes to the next fourth column (CommonMark 0.31.2, §2.2). */
function columnAfter(line: string, at: number, column: number): Place {
  const blanks = matchAt(INDENTATION, line, at)?.[0] ?? ''
  let after = column
  for (const blank of blanks) after += blank === '\t' ? 4 - (after % 4) : 1
  return { at: at + blanks.length, column: after }
}
