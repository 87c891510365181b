// How GitBook includes a reusable content of another space, which has no path in the repository:
// `{% include "https://app.gitbook.com/s/<space>/~/reusable/<id>/" %}`.

export type ReusableElsewhere = { readonly space: string; readonly reusableContent: string }

const ADDRESS = /^https:\/\/app\.gitbook\.com\/s\/([^/?#]{1,512})\/~\/reusable\/([^/?#]{1,512})\/?$/

/** The two as an address; ids are always percent-encoded. */
export const writeReusableAddress = ({ space, reusableContent }: ReusableElsewhere): string =>
  `https://app.gitbook.com/s/${encode(space)}/~/reusable/${encode(reusableContent)}/`

/** Undefined for any other address. */
export function parseReusableAddress(address: string): ReusableElsewhere | undefined {
  const [, space, reusableContent] = ADDRESS.exec(address) ?? []
  if (space === undefined || reusableContent === undefined) return undefined
  try {
    return { space: decodeURIComponent(space), reusableContent: decodeURIComponent(reusableContent) }
  } catch {
    return undefined
  }
}

const encode = (id: string): string => encodeURIComponent(id.toWellFormed())
