// Makes a template of a space's pages, or of one page and those below it, with the files and reusable contents that
// they include. Links between these pages are kept; those to other pages become addresses.
import { tooLarge } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import type { PageRecord, Reference } from '../../engines/content/records.ts'
import { pathOf } from '../../engines/content/tree.ts'
import type { Services } from '../../http/context.ts'
import { type Target, targetFrom } from '../content/resolve.ts'
import type { LinkTarget } from '../edits/request/fields.ts'
import type { StoredFile } from '../edits/request/new-files.ts'
import { FILES_MAX, PAGES_MAX, TEXT_BYTES_MAX } from './bounds.ts'
import type { Template, TemplatePage, TemplateReusable } from './template.ts'

type CaptureServices = Pick<Services, 'objects' | 'compute' | 'urls'>

type Origin = { readonly spaceId: string; readonly content: Content; readonly page: string | undefined }

/**
 * `prefix` makes the refs of this template unique.
 *
 * @throws Failure too_large `template_too_large`.
 */
export const captureTemplate = (
  services: CaptureServices,
  origin: Origin,
  prefix: string,
): Promise<Template> => new Capture(services, origin, prefix).run()

class Capture {
  readonly #services: CaptureServices
  readonly #origin: Origin
  readonly #prefix: string
  /** Refs by the ids of the content, in the order of discovery. */
  readonly #pages = new Map<string, string>()
  readonly #files = new Map<string, { readonly ref: string; readonly kept: StoredFile }>()
  readonly #reusables = new Map<string, string>()
  #bytes = 0

  constructor(services: CaptureServices, origin: Origin, prefix: string) {
    this.#services = services
    this.#origin = origin
    this.#prefix = prefix
  }

  async run(): Promise<Template> {
    const { content, page } = this.#origin
    const roots = page === undefined ? content.tree.children : [page]
    this.#addRefs(roots)
    const pages: TemplatePage[] = []
    for (const id of roots) pages.push(...(await this.#pageOf(id)))
    const reusables: TemplateReusable[] = []
    // Reading one may add those that it includes.
    for (const [id, ref] of this.#reusables) {
      const found = content.reusables.get(id)
      if (found === undefined) continue
      reusables.push({ title: found.title, ref, text: await this.#textOf(found.document, found.file) })
    }
    return { pages, reusables, files: new Map([...this.#files.values()].map(({ ref, kept }) => [ref, kept])) }
  }

  /** Before the first text is read, as texts link to any page. */
  #addRefs(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#pages.size >= PAGES_MAX) throw tooMuch(`${PAGES_MAX} pages`)
      this.#pages.set(id, `${this.#prefix}page-${this.#pages.size + 1}`)
      this.#addRefs(this.#origin.content.pages.get(id)?.children ?? [])
    }
  }

  /** None for a computed page, or a link page whose target has no address. */
  async #pageOf(id: string): Promise<TemplatePage[]> {
    const record = this.#origin.content.pages.get(id)
    const ref = this.#pages.get(id)
    if (record === undefined || ref === undefined || record.type === 'computed') return []
    const { title, type } = record
    if (type === 'link') {
      const target = this.#targetOf(record)
      return target === undefined ? [] : [{ title, ref, text: null, target, pages: [] }]
    }
    const text = type === 'group' ? null : await this.#textOf(record.document, record.file)
    const pages: TemplatePage[] = []
    for (const child of record.children) pages.push(...(await this.#pageOf(child)))
    return [{ title, ref, text, pages }]
  }

  async #textOf(document: string | null, file: string | undefined): Promise<string> {
    if (document === null) return ''
    const { objects, compute } = this.#services
    const body = (await objects.getMany([document])).get(document)
    this.#bytes += body?.length ?? 0
    if (this.#bytes > TEXT_BYTES_MAX) throw tooMuch(`${TEXT_BYTES_MAX} bytes of text`)
    const markdown = body === undefined ? '' : decodeDocument(body)
    const { spaceId, content } = this.#origin
    const named = await compute.run('destinations', spaceId, { markdown })
    if (named.kind !== 'done') return markdown
    const target = targetFrom(content, file ?? '')
    const rewritten = new Map<string, string>()
    for (const { destination } of named.value) {
      const address = this.#addressOf(target(destination))
      if (address !== undefined) rewritten.set(destination, address)
    }
    if (rewritten.size === 0) return markdown
    const written = await compute.run('rewriteLinks', spaceId, { markdown, rewritten })
    return written.kind === 'done' ? written.value : markdown
  }

  /** Undefined leaves a destination as it is. */
  #addressOf(target: Target): string | undefined {
    const { spaceId, content } = this.#origin
    const anchor = target.anchor === undefined || target.kind === 'anchor' ? '' : `#${target.anchor}`
    switch (target.kind) {
      case 'page': {
        const ref = this.#pages.get(target.id)
        if (ref !== undefined) return `./${ref}.md${anchor}`
        const path = pathOf(content.pages, target.id)
        return path === undefined ? undefined : this.#services.urls.page(spaceId, path) + anchor
      }
      case 'file': {
        const ref = this.#fileOf(target.id)
        return ref === undefined ? undefined : `./${ref}`
      }
      case 'reusable-content':
        return `./${this.#reusableOf(target.id)}.md`
      default:
        return undefined
    }
  }

  #fileOf(id: string): string | undefined {
    const record = this.#origin.content.files.get(id)
    if (record === undefined) return undefined
    const known = this.#files.get(id)
    if (known !== undefined) return known.ref
    if (this.#files.size >= FILES_MAX) throw tooMuch(`${FILES_MAX} files`)
    const { file: _, oid: _oid, ...kept } = record
    const ref = `${this.#prefix}file-${this.#files.size + 1}`
    this.#files.set(id, { ref, kept })
    return ref
  }

  #reusableOf(id: string): string {
    const ref = this.#reusables.get(id) ?? `${this.#prefix}text-${this.#reusables.size + 1}`
    this.#reusables.set(id, ref)
    return ref
  }

  /** The target of a link page. */
  #targetOf({ target }: PageRecord): LinkTarget | undefined {
    switch (target?.kind) {
      case 'url':
      case 'space':
        return target
      case 'file': {
        const ref = this.#fileOf(target.file)
        return ref === undefined ? undefined : { kind: 'file', file: ref }
      }
      case 'page':
      case 'anchor':
        return this.#pageTargetOf(target)
      default:
        return undefined
    }
  }

  #pageTargetOf(target: Extract<Reference, { kind: 'page' | 'anchor' }>): LinkTarget | undefined {
    if (target.page === undefined) return undefined
    const ref = this.#pages.get(target.page)
    if (ref !== undefined) return { ...target, page: ref }
    const { spaceId, content } = this.#origin
    const path = pathOf(content.pages, target.page)
    if (path === undefined) return undefined
    const anchor = target.kind === 'anchor' ? `#${target.anchor}` : ''
    return { kind: 'url', url: this.#services.urls.page(spaceId, path) + anchor }
  }
}

const tooMuch = (bound: string) =>
  tooLarge(
    'template_too_large',
    `A template holds at most ${bound}. Make one from a page and its subpages instead.`,
  )
