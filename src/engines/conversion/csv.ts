/**
 * The first `rowsMax` rows of a CSV text (RFC 4180). A quote that is never closed ends with the text.
 */
export function readCsv(text: string, rowsMax: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < rowsMax) {
    let value = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const end = text.indexOf('"', at)
        value += text.slice(at, end === -1 ? text.length : end)
        at = end === -1 ? text.length : end + 1
        if (end === -1 || text[at] !== '"') break
        value += '"'
        at += 1
      }
    }
    // A value without quotes ends at the next comma or line end.
    let end = at
    while (end < text.length && text[end] !== ',' && text[end] !== '\n') end += 1
    row.push(value + text.slice(at, end).replace(/\r$/, ''))
    at = end + 1
    if (text[end] !== ',') {
      rows.push(row)
      row = []
    } else if (at >= text.length) row.push('')
  }
  if (row.length > 0 && rows.length < rowsMax) rows.push(row)
  return rows
}
