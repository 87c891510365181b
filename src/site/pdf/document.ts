// The input of a PDF file: its title, its pages as the template reads them, its images and its fonts.
import { setImmediate } from 'node:timers/promises'
import { readText } from '../../api/content/reads.ts'
import { addressesFrom } from '../../api/rendering/addresses.ts'
import { addressAnswers, type RenderServices, variablesOf } from '../../api/rendering/render.ts'
import { tooLarge } from '../../base/errors.ts'
import type { TypesetPage } from '../../compute/page-typeset.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { type Highlight, iconName } from '../../engines/markdown/html/values.ts'
import { renderEmoji } from '../../engines/markdown/syntax/syntax.ts'
import {
  type Block,
  breakable,
  directionOf,
  type Line,
  scriptsIn,
} from '../../engines/markdown/typeset/typeset.ts'
import type { Services } from '../../http/context.ts'
import { fontsFor } from '../../platform/typst/fonts.ts'
import type { TypesetDocument } from '../../platform/typst/typesetter.ts'
import { drawIcons } from '../layout/chosen-icons.ts'
import { dayInWords } from '../layout/dates.ts'
import { isRightToLeft } from '../layout/document.ts'
import { addressIn, anchorOf, type PrintView, readAhead } from '../print/document.ts'
import type { PrintedPage } from '../print/plan.ts'
import { toSpaceView } from '../views.ts'
import { type DrawnPicture, Pictures } from './pictures.ts'

export type PdfView = PrintView & { readonly organization: string }

export type PdfServices = RenderServices & Pick<Services, 'rendering'>

export type PdfDocument = Omit<TypesetDocument, 'ownFonts'> & {
  /** The pictures by their paths, each with the size that it is read in. */
  readonly files: ReadonlyMap<string, DrawnPicture>
  /** The diagrams by their paths, as SVG. */
  readonly diagrams: ReadonlyMap<string, string>
  /** How many lines its pages take at the least. */
  readonly lines: number
  /** Scripts without a font. */
  readonly missingScripts: readonly string[]
}

const PAGES_MAX = 5_000
/** The length of the template's input; the longest page of the corpora is 0.5 MB. */
const CHARACTERS_MAX = 40_000_000
/** Some 1,800 full sheets, for which the typesetter needs more memory than it may take. */
const LINES_MAX = 100_000
type Entry = {
  readonly id: string
  readonly title: Line
  /** For the head of a sheet, which has one line. */
  readonly shortTitle: string
  readonly mark: Line
  readonly depth: number
  readonly dir: string
}

/** @throws Failure too_large */
export async function collectDocument(services: PdfServices, view: PdfView): Promise<PdfDocument> {
  const { pages } = view
  if (pages.length > PAGES_MAX) throw tooMuch()
  const numbers = new Map(pages.map(({ id }, at) => [id, at + 1]))
  const gathered = new Gathered()
  let before: Entry[] = []
  for (const [at, page] of pages.entries()) {
    if (at % DOCUMENTS_READ === 0)
      await readAhead(services, view.content, pages.slice(at, at + DOCUMENTS_READ))
    const entry = toEntry(page, anchorOf(numbers, page.id))
    gathered.addEntry(entry, page.record)
    // The title of a group without a text is set above that of its first page.
    if (page.record.document === null && page.record.type === 'group' && at < pages.length - 1) {
      before.push(entry)
      continue
    }
    gathered.addPage(
      { ...entry, before },
      page.record,
      await writePage(services, view, page, numbers, gathered),
    )
    before = []
    await setImmediate()
  }
  return gathered.toDocument(view)
}

/** The contents of all pages of a document. */
class Gathered {
  readonly pictures = new Pictures()
  readonly #texts: Record<string, string> = {}
  readonly #pages: object[] = []
  readonly #ids = new Set<string>()
  readonly #targets = new Set<string>()
  readonly #icons = new Set<string>()
  readonly #scripts = new Set<string>()
  /** SVG by name. */
  readonly #diagrams = new Map<string, string>()
  #characters = 0
  #lines = 0

  addEntry({ id, mark }: Entry, { title, description = '', icon }: PageRecord): void {
    this.#ids.add(id)
    const name = iconName(icon)
    if (name !== undefined) this.#icons.add(name)
    this.#addWords(`${wordsOf(mark)}${title}${description}`)
  }

  addPage(
    entry: Entry & { readonly before: readonly Entry[] },
    record: PageRecord,
    written: TypesetPage,
  ): void {
    this.#characters += written.json.length
    this.#lines += written.lines
    if (this.#characters > CHARACTERS_MAX || this.#lines > LINES_MAX) throw tooMuch()
    for (const id of written.ids) this.#ids.add(id)
    for (const id of written.targets) this.#targets.add(id)
    for (const name of written.icons) this.#icons.add(name)
    for (const script of written.scripts) this.#scripts.add(script)
    for (const [name, svg] of Object.entries(written.diagrams)) this.#addDiagram(name, svg)
    const file = `/pages/${this.#pages.length + 1}.json`
    this.#texts[file] = written.json
    this.#pages.push({ ...entry, description: record.description ?? '', file })
  }

  /** A diagram that is on several pages is in the file once. */
  #addDiagram(name: string, svg: string): void {
    if (this.#diagrams.has(name)) return
    this.#characters += svg.length
    this.#diagrams.set(name, svg)
  }

  async toDocument(view: PdfView): Promise<PdfDocument> {
    const { title, language, emoji } = toSpaceView(view.space)
    const mark = markOf({ emoji: emoji ?? '' })
    this.#addWords(`${wordsOf(mark)}${title}${view.organization}`)
    const { text, code, formulas, files, missing } = fontsFor([...this.#scripts], language)
    const drawings = await drawIcons([...this.#icons].slice(0, ICONS_MAX), ICON_COLOUR)
    for (const [name, svg] of drawings) this.#texts[`/icons/${name}.svg`] = svg
    const pictures = this.pictures.choose()
    const diagrams = [...this.#diagrams].map(([name, svg], at) => ({
      name,
      path: `/diagrams/${at}.svg`,
      svg,
    }))
    const [only, ...others] = view.pages
    const isOne = others.length === 0
    this.#texts['/book.json'] = JSON.stringify({
      ...{ title: breakable(title, WORD_MAX), shortTitle: shortened(title), mark },
      documentTitle: isOne && only !== undefined ? `${only.record.title} · ${title}` : title,
      organization: view.organization,
      lang: /^[a-z]{2,3}(?=-|$)/.exec(language ?? '')?.[0] ?? 'en',
      dir: isRightToLeft(language) ? 'rtl' : 'ltr',
      fonts: { text, code, formulas },
      facts: factsOf(view),
      words: WORDS,
      ...{ hasCover: !isOne, hasContents: !isOne },
      labels: Object.fromEntries([...this.#targets].filter(id => this.#ids.has(id)).map(id => [id, true])),
      pictures: Object.fromEntries([...pictures.paths, ...diagrams.map(({ name, path }) => [name, path])]),
      icons: Object.fromEntries([...drawings.keys()].map(name => [name, true])),
      pages: this.#pages,
    })
    return {
      ...{ texts: this.#texts, lines: this.#lines, fonts: files, missingScripts: missing },
      pictures: [...pictures.files.keys(), ...diagrams.map(({ path }) => path)],
      files: pictures.files,
      diagrams: new Map(diagrams.map(({ path, svg }) => [path, svg])),
    }
  }

  #addWords(words: string): void {
    for (const script of scriptsIn(words)) this.#scripts.add(script)
  }
}

const wordsOf = (line: Line): string => line.filter(part => typeof part === 'string').join('')

const DOCUMENTS_READ = 50
const ICONS_MAX = 500
const ICON_COLOUR = '#454d58'
const WORDS = { contents: 'Contents', picture: 'Picture' }

const tooMuch = () =>
  tooLarge(
    'pdf_too_large',
    'This is too large for one PDF file. Ask for the PDF of a page with its subpages, or print the print view in a browser.',
  )

const toEntry = ({ record, depth }: PrintedPage, id: string): Entry => ({
  id,
  title: breakable(record.title, WORD_MAX),
  shortTitle: shortened(record.title),
  mark: markOf(record),
  depth: Math.min(depth, DEPTH_MAX),
  dir: directionOf(record.title),
})

/** For titles, which are set in a large type. */
const WORD_MAX = 20
const HEAD_CHARACTERS = 60

const shortened = (title: string): string => {
  const characters = [...title]
  return characters.length > HEAD_CHARACTERS
    ? `${characters.slice(0, HEAD_CHARACTERS).join('').trimEnd()}…`
    : title
}

/** Bookmarks nest no deeper than can be seen. */
const DEPTH_MAX = 6

function markOf({ emoji, icon }: Pick<PageRecord, 'emoji' | 'icon'>): Line {
  if (emoji !== undefined && emoji !== '') return [`${renderEmoji(emoji) ?? emoji} `]
  const name = iconName(icon)
  return name === undefined ? [] : [{ kind: 'icon', name }, ' ']
}

function factsOf({ changeRequest, createdAt }: PdfView): string[] {
  const asOf = `As of ${dayInWords(createdAt)}`
  return changeRequest === null ? [asOf] : [`As change request #${changeRequest} would have it`, asOf]
}

const EMPTY: TypesetPage = {
  lines: 0,
  json: '[]',
  ids: [],
  targets: [],
  icons: [],
  pictures: [],
  diagrams: {},
  scripts: [],
}

async function writePage(
  services: PdfServices,
  view: PdfView,
  { id, record }: PrintedPage,
  numbers: ReadonlyMap<string, number>,
  { pictures }: Gathered,
): Promise<TypesetPage> {
  if (record.document === null) return EMPTY
  const markdown = await readText(services, record.document, view.content)
  const find = addressesFrom(services, view.content, record.file ?? '', addressIn(services, view, numbers), {
    seePicture: pictures.see,
  })
  const outcome = await services.compute.run(
    'pageTypeset',
    view.space.id,
    {
      markdown,
      pageTitle: record.title,
      idPrefix: `${anchorOf(numbers, id)}.`,
      variables: variablesOf(view.content, record),
      showsParts: true,
      isColoured: view.pages.length <= COLOURED_PAGES_MAX,
    },
    {
      ...addressAnswers(services.objects, find),
      codes: blocks => colour(services.rendering.highlighter.highlight, blocks),
      parts: services.rendering.apiParts.writerFor(
        view.space.id,
        view.sight,
        view.content,
        record.file ?? '',
      ),
    },
  )
  return outcome.kind === 'done' ? outcome.value : asItsSource(markdown)
}

/** Highlighting takes time for each block, so code in a long document stays plain. */
const COLOURED_PAGES_MAX = 1_000
const COLOURING_TRIES = 3

/** A file is made once and cached, so it waits for colours longer than a reader would. */
async function colour(highlight: Highlight, blocks: Parameters<Highlight>[0]) {
  let coloured = await highlight(blocks)
  for (let tries = 1; tries < COLOURING_TRIES && !coloured.isComplete; tries += 1)
    coloured = await highlight(blocks)
  return coloured
}

const SOURCE_CHARACTERS_MAX = 200_000

/** A page that is too costly to be rendered. */
function asItsSource(markdown: string): TypesetPage {
  const text = markdown.slice(0, SOURCE_CHARACTERS_MAX)
  const blocks: Block[] = [
    {
      kind: 'paragraph',
      dir: 'ltr',
      inside: ['This page is too large or too complex to render. Its Markdown source is shown instead.'],
    },
    {
      kind: 'code',
      isNumbered: false,
      lines: text.split('\n').map(line => ({ isMarked: false, runs: line === '' ? [] : [line] })),
    },
  ]
  return { ...EMPTY, json: JSON.stringify(blocks), scripts: scriptsIn(text) }
}
