// One spelling for a value, so that equal values have equal bytes and equal hashes.
import { hash } from 'node:crypto'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/**
 * JSON with object keys in code-unit order, no spaces, and undefined members left out.
 * Numbers are spelled as JSON.stringify spells them (RFC 8785 does the same); NaN and infinities are refused.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Error('canonical JSON has no NaN or Infinity')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  // Array.isArray does not take readonly arrays out of the type.
  const object = value as { readonly [key: string]: Json | undefined }
  const members: string[] = []
  for (const key of Object.keys(object).sort()) {
    const member = object[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
  }
  return `{${members.join(',')}}`
}

/** SHA-256 as 64 lowercase hex digits. */
export const sha256 = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex')
