/** Decodes percent-encoding (RFC 3986 §2.1). Malformed text is returned unchanged. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
