// PDF files: each is made once, one at a time, and cached.
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { findVersionsDigest } from '../../api/openapi-specs/rows.ts'
import { findOrganization } from '../../api/organizations/rows.ts'
import { Failure, tooLarge, unavailable } from '../../base/errors.ts'
import type { FileRecord } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { readOwnFonts } from '../../platform/typst/own-fonts.ts'
import { createTypesetter, type TypesetBounds } from '../../platform/typst/typesetter.ts'
import { VERSION } from '../../platform/version.ts'
import type { ApiParts } from '../api-parts/parts.ts'
import type { Highlighter } from '../highlight.ts'
import type { PrintView } from '../print/document.ts'
import { toSpaceView } from '../views.ts'
import { collectDocument } from './document.ts'
import { type CachedFile, createFileCache } from './file-cache.ts'

export interface PdfFiles {
  /** @throws Failure too_large, unavailable */
  get(view: PrintView): Promise<CachedFile>
  close(): Promise<void>
}

const BYTES_MAX = 512 * 1024 * 1024
/** A file takes a processor and a lot of memory, so one is made at a time; each one that waits holds a request. */
const WAITING_MAX = 8
// A file that timed out once would time out again for each request.
const TOO_COSTLY_MAX = 1_000
const TOO_COSTLY_MILLISECONDS = 10 * 60_000

export function createPdfFiles(
  { services, apiParts }: { readonly services: Services; readonly apiParts: ApiParts },
  { highlight }: Highlighter,
  bounds?: TypesetBounds,
): PdfFiles {
  const { log, config } = services
  const typesetter = createTypesetter(bounds)
  const kept = createFileCache(join(config.home, 'pdf'), BYTES_MAX)
  const tooCostly = new LRUCache<string, true>({ max: TOO_COSTLY_MAX, ttl: TOO_COSTLY_MILLISECONDS })
  let turn: Promise<unknown> = Promise.resolve()
  let asked = 0

  const takeTurn = async <Made>(make: () => Promise<Made>): Promise<Made> => {
    if (asked > WAITING_MAX) throw busy()
    asked += 1
    const made = turn.then(make).finally(() => {
      asked -= 1
    })
    turn = made.catch(() => {})
    return made
  }

  const make = async (view: PrintView, organization: string, key: string): Promise<Uint8Array> => {
    const about = { space: view.space.id }
    try {
      const { files, missingScripts, ...document } = await collectDocument(
        { services, apiParts },
        highlight,
        { ...view, organization },
      )
      const ownFonts = missingScripts.length > 0 ? await findOwnFonts(services, about, missingScripts) : []
      const outcome = await typesetter.typeset({ ...document, ownFonts }, path =>
        readPicture(services, files.get(path)),
      )
      if (outcome.kind === 'done') return outcome.pdf
      if (outcome.kind === 'beyond') {
        tooCostly.set(key, true)
        throw beyond()
      }
      log.error({ ...about, reason: outcome.message }, 'a PDF cannot be typeset')
      throw failed()
    } catch (error) {
      if (error instanceof Failure) throw error
      log.error({ ...about, err: error }, 'a PDF cannot be created')
      throw failed(error)
    }
  }

  return {
    async get(view) {
      const organization = await findOrganization(services.db, view.space.organization_id)
      const title = organization?.title ?? ''
      const specifications = await findVersionsDigest(services.db, view.space.organization_id)
      const key = JSON.stringify([VERSION, services.urls.root(''), title, specifications, ...namesOf(view)])
      if (tooCostly.has(key)) throw beyond()
      return kept.get(key, () => takeTurn(() => make(view, title, key)))
    },
    close: () => typesetter.close(),
  }
}

/** Everything that a document depends on: its content by its revision, and the rest as it is. */
function namesOf({ space, revisionId, page, isAlone, changeRequest }: PrintView): unknown[] {
  const { title, language, emoji } = toSpaceView(space)
  return [space.id, revisionId, page, isAlone, changeRequest, title, language, emoji]
}

async function findOwnFonts(
  { config, log }: Pick<Services, 'config' | 'log'>,
  about: object,
  scripts: readonly string[],
): Promise<Uint8Array[]> {
  if (config.pdfFonts === undefined) {
    log.warn(
      { ...about, scripts },
      'a PDF has characters without a font; OCTAVO_PDF_FONTS names a folder of more',
    )
    return []
  }
  try {
    return await readOwnFonts(config.pdfFonts)
  } catch (error) {
    log.warn({ ...about, err: error }, 'the folder that OCTAVO_PDF_FONTS names cannot be read')
    return []
  }
}

async function readPicture(
  { blobs }: Pick<Services, 'blobs'>,
  file: FileRecord | undefined,
): Promise<Uint8Array | null> {
  const found = file === undefined ? undefined : await blobs.read(file.blob)
  return found === undefined ? null : buffer(found.stream)
}

const failed = (cause?: unknown) =>
  unavailable(
    'pdf_failed',
    'The PDF file could not be created; the server log says why. You can print the print view in a browser instead.',
    cause,
  )

const beyond = () =>
  tooLarge(
    'pdf_too_large',
    'Creating this PDF takes more time or memory than is allowed. Ask for the PDF of a page with its subpages, or print the print view in a browser.',
  )

const busy = () => unavailable('busy', 'Other PDF files are being created right now. Try again in a minute.')
