// What a statement is called in traces: what it does and the first table it names. Its text and values stay out.

const VERBS: ReadonlySet<string> = new Set(['select', 'insert', 'update', 'delete', 'with'])
const TABLE = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i
/** A name is found near the beginning. */
const CHARACTERS_READ = 2_000

/** `select spaces`; statements of other kinds by their first word. */
export function nameStatement(text: string): { readonly operation: string; readonly table?: string } {
  const operation = /^\s*([a-z]+)/i.exec(text.slice(0, CHARACTERS_READ))?.[1]?.toLowerCase() ?? 'statement'
  if (!VERBS.has(operation)) return { operation }
  const table = TABLE.exec(text.slice(0, CHARACTERS_READ))?.[1]
  return table === undefined ? { operation } : { operation, table }
}
