// PDF files: each is made once and cached. Organizations take turns, and small files do not wait for large ones.
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { findOrganization } from '../../api/organizations/rows.ts'
import { Failure, tooLarge, unavailable } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { createFairSlots } from '../../platform/fairness/fair-slots.ts'
import { currentParty } from '../../platform/fairness/party.ts'
import { createScaler } from '../../platform/pictures/scaler.ts'
import { readOwnFonts } from '../../platform/typst/own-fonts.ts'
import {
  createTypesetter,
  type Outcome,
  TYPESET_BOUNDS,
  type TypesetBounds,
} from '../../platform/typst/typesetter.ts'
import { type PrintView, printedFrom } from '../print/document.ts'
import { collectDocument, type PdfDocument } from './document.ts'
import { type CachedFile, createFileCache } from './file-cache.ts'
import { readPicture } from './read-picture.ts'

export interface PdfFiles {
  /** @throws Failure too_large, unavailable */
  get(view: PrintView): Promise<CachedFile>
  /** How many large ones wait for their turn. */
  readonly waiting: number
  close(): Promise<void>
}

const BYTES_MAX = 512 * 1024 * 1024
const PICTURES_BYTES_MAX = 256 * 1024 * 1024
/**
 * One at a time, since a large one may take 1.5 GB (`TYPESET_BOUNDS`), and two would exceed what most machines have.
 * Organizations take turns, so that each waits for no more than one file of each of the others. Each one that waits
 * holds a request.
 */
const SLOTS = {
  ...{ atOnceMax: 1, ofOrganizationMax: 1 },
  ...{ personWaitingMax: 4, organizationWaitingMax: 8, waitingMax: 32 },
}
/** What counts as small: a few seconds of a processor, beside a large one. */
const SMALL_PAGES_MAX = 30
const SMALL_CHARACTERS_MAX = 500_000
/** Some 200 sheets. */
const SMALL_LINES_MAX = 10_000
const SMALL_PICTURES_BYTES_MAX = 4 * 1024 * 1024
const SMALL_BOUNDS: TypesetBounds = { millisecondsMax: 15_000, megabytesMax: 384 }
// A file that timed out once would time out again for each request.
const TOO_COSTLY_MAX = 1_000
const TOO_COSTLY_MILLISECONDS = 10 * 60_000

export function createPdfFiles(services: Services, bounds?: TypesetBounds): PdfFiles {
  const { log, config } = services
  const large = { slots: createFairSlots(SLOTS, busy), typesetter: createTypesetter(bounds) }
  const small = { slots: createFairSlots(SLOTS, busy), typesetter: createTypesetter(smallBounds(bounds)) }
  const kept = createFileCache(join(config.home, 'pdf'), BYTES_MAX)
  const keptPictures = createFileCache(join(config.home, 'pictures'), PICTURES_BYTES_MAX)
  const tooCostly = new LRUCache<string, true>({ max: TOO_COSTLY_MAX, ttl: TOO_COSTLY_MILLISECONDS })

  const collect = (view: PrintView, organization: string) =>
    collectDocument(services, { ...view, organization })

  const typeset = async ({ typesetter }: typeof large, view: PrintView, collected: PdfDocument) => {
    const { files, diagrams, lines: _, missingScripts, ...document } = collected
    const about = { space: view.space.id }
    const ownFonts = missingScripts.length > 0 ? await findOwnFonts(services, about, missingScripts) : []
    await using scaler = createScaler()
    const from = { blobs: services.blobs, kept: keptPictures, scaler }
    let unread = document.pictures.length
    return await typesetter.typeset({ ...document, ownFonts }, async path => {
      const diagram = diagrams.get(path)
      const picture = diagram === undefined ? await readPicture(from, files.get(path)) : Buffer.from(diagram)
      unread -= 1
      // Its memory is free by the time that Typst needs the most.
      if (unread === 0) await scaler[Symbol.asyncDispose]()
      return picture
    })
  }

  /**
   * A file that turns out not to be small is made again as a large one. What was collected for it is not held while it
   * waits: it can be 40 MB for each of all that wait.
   */
  const makeInTurn = async (view: PrintView, organization: string): Promise<Outcome> => {
    const party = currentParty(view.space.organization_id)
    if (view.pages.length <= SMALL_PAGES_MAX) {
      const outcome = await small.slots.run(party, async () => {
        const collected = await collect(view, organization)
        return isSmall(collected) ? typeset(small, view, collected) : null
      })
      if (outcome !== null && outcome.kind !== 'beyond') return outcome
    }
    return large.slots.run(party, async () => typeset(large, view, await collect(view, organization)))
  }

  const make = async (view: PrintView, organization: string, key: string): Promise<Uint8Array> => {
    const about = { space: view.space.id }
    try {
      const outcome = await makeInTurn(view, organization)
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
      const key = JSON.stringify([title, await printedFrom(services, view)])
      if (tooCostly.has(key)) throw beyond()
      return kept.get(key, () => make(view, title, key))
    },
    get waiting() {
      return large.slots.waiting
    },
    async close() {
      await Promise.all([large, small].map(({ typesetter }) => typesetter.close()))
    },
  }
}

/** No more than is allowed for any file. */
const smallBounds = ({ millisecondsMax, megabytesMax } = TYPESET_BOUNDS): TypesetBounds => ({
  millisecondsMax: Math.min(millisecondsMax, SMALL_BOUNDS.millisecondsMax),
  megabytesMax: Math.min(megabytesMax, SMALL_BOUNDS.megabytesMax),
})

function isSmall({ texts, lines, files }: PdfDocument): boolean {
  const characters = Object.values(texts).reduce((sum, text) => sum + text.length, 0)
  const bytes = [...files.values()].reduce((sum, { file }) => sum + file.size, 0)
  return characters <= SMALL_CHARACTERS_MAX && lines <= SMALL_LINES_MAX && bytes <= SMALL_PICTURES_BYTES_MAX
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
