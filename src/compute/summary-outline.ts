// SUMMARY.md as an outline: its entries as pages, links and groups, and the fate of other entries.
import { ALLOWED_SCHEMES_SAID, isLinkScheme, schemeOf } from '../base/link-schemes.ts'
import { ownMember } from '../base/objects.ts'
import { folderOf, isMarkdown, joinPath, resolvePath } from '../base/paths.ts'
import { type SaidProblem, withLine } from '../base/problems.ts'
import {
  parseSummary,
  type SummaryEntry,
  type SummaryLink,
  type SummaryPage,
} from '../engines/markdown/page/page.ts'
import { parseYaml } from '../engines/markdown/syntax/syntax.ts'
import { slugify } from '../engines/names/slugs.ts'
import { titleOfName, toLine } from '../engines/names/titles.ts'
import type { ComputedSource, LinkTarget, OutlineEntry } from './outline.ts'
import type { Task } from './task.ts'

const URL_CHARACTERS_MAX = 2_048
const ANCHOR_CHARACTERS_MAX = 200
const NAME_CHARACTERS_MAX = 200

type Input = {
  readonly text: string
  /** Its path; other paths have the same root. */
  readonly file: string
  /** The files that it may name, and which of them became files of the space. */
  readonly there: ReadonlySet<string>
  readonly kept: ReadonlySet<string>
  readonly titleCharactersMax: number
  /** Groups and pages above a page, itself included. */
  readonly depthMax: number
  /** The number of problems to report. */
  readonly problemsMax: number
}

export type SummaryOutline = {
  readonly entries: readonly OutlineEntry[]
  /** The first problems, and the number of all. */
  readonly problems: readonly SaidProblem[]
  readonly problemCount: number
}

/**
 * - An entry with a Markdown file is that page, once: a second entry of it, or one to a heading in it, is a link there.
 * - An entry whose file is not there, or that names none, is a page without document, so that its place is not lost.
 * - An entry with another file of the repository, or with an address, is a link page.
 * - A block of YAML that names an OpenAPI specification is replaced by its pages; any other is left out.
 * - Link pages hold no pages: what is nested below one follows it instead. So does what is nested too deep for a tree.
 */
export const summaryOutline: Task<Input, SummaryOutline> = input => new SummaryReader(input).outline()

class SummaryReader {
  readonly #input: Input
  readonly #problems: SaidProblem[] = []
  #problemCount = 0
  /** Files that an entry without an anchor names: those are the pages, and entries with anchors link to them. */
  readonly #named = new Set<string>()
  readonly #listed = new Set<string>()

  constructor(input: Input) {
    this.#input = input
  }

  outline(): SummaryOutline {
    const { entries, problems } = parseSummary(this.#input.text)
    for (const problem of problems) this.#complain(problem)
    this.#findNamed(entries)
    const outline = this.#entries(entries, 1)
    return { entries: outline, problems: this.#problems, problemCount: this.#problemCount }
  }

  #findNamed(entries: readonly SummaryEntry[]): void {
    for (const entry of entries) {
      const path = entry.type === 'page' && entry.anchor === null ? this.#resolve(entry) : undefined
      if (path !== undefined) this.#named.add(path)
      this.#findNamed(entry.children)
    }
  }

  #entries(entries: readonly SummaryEntry[], depth: number): OutlineEntry[] {
    return entries.flatMap(entry => this.#entry(entry, depth))
  }

  #entry(entry: SummaryEntry, depth: number): OutlineEntry[] {
    const read = this.#own(entry)
    if (read === undefined) return this.#entries(entry.children, depth)
    const own = { ...read, lines: entry.lines }
    if (entry.children.length === 0) return [own]
    const holdsNone = own.kind === 'link' || own.kind === 'computed'
    if (!holdsNone && depth < this.#input.depthMax)
      return [{ ...own, children: this.#entries(entry.children, depth + 1) }]
    if (holdsNone)
      this.#complain({
        code: 'link_children',
        message: 'A link cannot hold pages; the pages below it follow it.',
        line: entry.lines.line,
      })
    else
      this.#complain({
        code: 'nested_too_deep',
        message: `Pages nest ${this.#input.depthMax} deep at most; deeper ones follow instead.`,
        values: { max: this.#input.depthMax },
        line: entry.lines.line,
      })
    return [own, ...this.#entries(entry.children, depth)]
  }

  /** The entry without its children. */
  #own(entry: SummaryEntry): OutlineEntry | undefined {
    const title = this.#title(entry.title)
    switch (entry.type) {
      case 'group':
        return {
          kind: 'group',
          title: title ?? GROUP,
          slug: slugify(entry.anchor ?? title ?? GROUP),
          children: [],
        }
      case 'computed':
        return this.#computed(entry.code, entry.lines.line)
      case 'text':
        return page(title, undefined)
      case 'link':
        return this.#withLinkTitle(this.#link(entry.url, title, entry), entry)
      case 'page':
        return this.#withLinkTitle(this.#page(entry, title), entry)
    }
  }

  #computed(code: string, line: number): OutlineEntry | undefined {
    const source = computedSourceIn(code)
    if (source !== undefined) return { kind: 'computed', title: source.dependencies.spec.ref.spec, source }
    this.#complain({
      code: 'computed_unknown',
      message:
        'Only computed pages of `builtin:openapi` that name a specification are supported; this was left out.',
      line,
    })
    return undefined
  }

  #link(url: string, title: string | undefined, entry: SummaryEntry): OutlineEntry {
    const address = url.startsWith('//') ? `https:${url}` : url
    if (
      isLinkScheme(schemeOf(address) ?? '') &&
      address.length <= URL_CHARACTERS_MAX &&
      URL.canParse(address)
    )
      return link(title ?? this.#title(address), { kind: 'url', url: address })
    this.#complain({
      code: 'link_refused',
      message: `This address was left out. ${ALLOWED_SCHEMES_SAID}`,
      values: { name: address.slice(0, NAME_CHARACTERS_MAX) },
      line: entry.lines.line,
    })
    return page(title, undefined)
  }

  #page(entry: SummaryPage, title: string | undefined): OutlineEntry {
    const path = this.#resolve(entry)
    if (path === undefined) {
      this.#complain({
        code: 'path_outside',
        message: 'This entry names no file of the project.',
        line: entry.lines.line,
      })
      return page(title, undefined)
    }
    const isThere = this.#input.there.has(path)
    if (isThere && !isMarkdown(path)) return this.#file(path, title, entry)
    // An entry that is not a page does not reserve its file, which nobody could edit then.
    if (!isThere && !isMarkdown(path)) {
      const name = path.slice(0, NAME_CHARACTERS_MAX)
      const message = `${name} is not there.`
      this.#complain({ code: 'page_missing', message, values: { name }, line: entry.lines.line })
      return page(title, undefined)
    }
    const isPart = entry.anchor !== null && this.#named.has(path)
    if (isPart || this.#listed.has(path))
      return link(title ?? this.#title(path), pageTarget(path, entry.anchor))
    this.#listed.add(path)
    return page(title, path)
  }

  #file(path: string, title: string | undefined, entry: SummaryEntry): OutlineEntry {
    if (this.#input.kept.has(path)) return link(title ?? this.#title(path), { kind: 'file', file: path })
    const name = path.slice(0, NAME_CHARACTERS_MAX)
    const message = `${name} is not a kind of file that is kept.`
    this.#complain({ code: 'file_not_kept', message, values: { name }, line: entry.lines.line })
    return page(title, undefined)
  }

  /** The file that an entry means, or its path as written if there is no such file. Undefined outside the project. */
  #resolve({ path, destination }: SummaryPage): string | undefined {
    if (path === '') return undefined
    const folder = folderOf(this.#input.file)
    // Decoded; from the top, if SUMMARY.md lies deeper; and, for names that contain a %, as written.
    const written = destination.split(/[?#]/, 1)[0] ?? ''
    const candidates = [resolvePath(folder, path), resolvePath('', path), resolvePath(folder, written)]
    for (const candidate of candidates) {
      const found = candidate === undefined ? undefined : this.#existing(candidate)
      if (found !== undefined) return found
    }
    return candidates[0] === '' ? undefined : candidates[0]
  }

  /** The file itself, the page of the folder, or the page without its extension. */
  #existing(path: string): string | undefined {
    const names = [path, joinPath(path, 'README.md'), joinPath(path, 'index.md'), `${path}.md`]
    return names.find(name => this.#input.there.has(name))
  }

  #withLinkTitle(entry: OutlineEntry, { linkTitle }: SummaryPage | SummaryLink): OutlineEntry {
    return linkTitle === null || entry.kind === 'group' || entry.kind === 'computed'
      ? entry
      : { ...entry, linkTitle: this.#title(linkTitle) }
  }

  #title(text: string): string | undefined {
    return toLine(text, this.#input.titleCharactersMax)
  }

  #complain(problem: SaidProblem & { readonly line: number }): void {
    this.#problemCount += 1
    if (this.#problems.length < this.#input.problemsMax) this.#problems.push(withLine(problem))
  }
}

const COMPUTED_CHARACTERS_MAX = 4_000
// The bound of the API.
const SPEC = /^[a-zA-Z0-9_-]{1,100}$/

function computedSourceIn(code: string): ComputedSource | undefined {
  const { value } = parseYaml(code, { charactersMax: COMPUTED_CHARACTERS_MAX })
  const plain = asJson(value)
  const ref = ownMember(ownMember(ownMember(plain, 'dependencies'), 'spec'), 'ref')
  const spec = ownMember(ref, 'spec')
  if (ownMember(plain, 'type') !== 'builtin:openapi' || ownMember(ref, 'kind') !== 'openapi') return undefined
  if (typeof spec !== 'string' || !SPEC.test(spec)) return undefined
  const props = ownMember(plain, 'props')
  return {
    type: 'builtin:openapi',
    props: typeof props === 'object' && props !== null && !Array.isArray(props) ? { ...props } : {},
    dependencies: { spec: { ref: { kind: 'openapi', spec } } },
  }
}

/** Null for what JSON cannot hold: aliases may expand far beyond their text, and may be circular. */
function asJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(value) ?? 'null'
    return json.length > COMPUTED_CHARACTERS_MAX ? null : JSON.parse(json)
  } catch {
    return null
  }
}

const GROUP = 'Group'

const page = (title: string | undefined, file: string | undefined): OutlineEntry => ({
  kind: 'page',
  title: title ?? (file === undefined ? titleOfName('') : undefined),
  file,
  children: [],
})

const link = (title: string | undefined, target: LinkTarget): OutlineEntry => ({
  kind: 'link',
  title: title ?? titleOfName(''),
  target,
})

const pageTarget = (file: string, anchor: string | null): LinkTarget => ({
  kind: 'page',
  file,
  ...(anchor === null || anchor === '' ? {} : { anchor: toLine(anchor, ANCHOR_CHARACTERS_MAX) ?? '' }),
})
