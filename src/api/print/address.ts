// Signed addresses of print views. Each works for an hour, without a token, as long as the person who asked for it may
// read the content. It names a revision, so what it shows never changes.

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Urls } from '../../http/urls.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

export const PRINT_VIEW_SECONDS = 3600

/** What to print: a revision, or a page of it with its subpages, or with `isAlone` without them. */
export type PrintedContent = {
  readonly spaceId: string
  readonly revisionId: string
  readonly page: string | null
  readonly isAlone: boolean
}

/** A print view as its address names it. */
export type PrintAddress = PrintedContent & {
  /** The person who asked for it. */
  readonly makerId: string
  readonly expiresAt: Date
}

const SIGNATURE_BYTES = 16

/** `https://docs.example/pdf/<space>/<revision>/<seconds>/<signature>?by=<person>&page=<page>&only=true` */
export const toPdfUrl = (urls: Urls, signingKey: SigningKeys, address: PrintAddress): string =>
  urls.root(`/pdf/${toTail(signingKey, address)}`)

/** The same as one document for a browser, at `/print/…`. */
export const toPrintUrl = (urls: Urls, signingKey: SigningKeys, address: PrintAddress): string =>
  urls.root(`/print/${toTail(signingKey, address)}`)

function toTail(signingKey: SigningKeys, address: PrintAddress): string {
  const { spaceId, revisionId, page, isAlone, makerId } = address
  const query = new URLSearchParams({
    by: makerId,
    ...(page === null ? {} : { page }),
    ...(isAlone ? { only: 'true' } : {}),
  })
  const signature = sign(signingKey.current, address).toString('base64url')
  return `${spaceId}/${revisionId}/${secondsOf(address)}/${signature}?${query}`
}

/** The address that a request names, or undefined for a forged one. It may have expired. */
export function readPrintAddress(
  signingKey: SigningKeys,
  params: { spaceId: string; revisionId: string; seconds: string; signature: string },
  query: { by?: unknown; page?: unknown; only?: unknown },
): PrintAddress | undefined {
  if (!/^\d{1,12}$/.test(params.seconds)) return undefined
  const address = {
    spaceId: params.spaceId,
    revisionId: params.revisionId,
    page: typeof query.page === 'string' ? query.page : null,
    isAlone: query.only === 'true',
    makerId: String(query.by),
    expiresAt: new Date(Number(params.seconds) * 1000),
  }
  const given = Buffer.from(params.signature, 'base64url')
  const isOurs =
    given.length === SIGNATURE_BYTES &&
    signingKey.accepted.some(key => timingSafeEqual(given, sign(key, address)))
  return isOurs ? address : undefined
}

const secondsOf = ({ expiresAt }: PrintAddress): number => Math.floor(expiresAt.getTime() / 1000)

const sign = (signingKey: KeyObject, address: PrintAddress): Buffer =>
  createHmac('sha256', signingKey)
    .update(
      JSON.stringify([
        'print',
        address.spaceId,
        address.revisionId,
        address.page,
        address.isAlone,
        address.makerId,
        secondsOf(address),
      ]),
    )
    .digest()
    .subarray(0, SIGNATURE_BYTES)
