// Pairs of words that deny each other: one never stands for the other. General words of documentation, beside those
// that a prefix makes.

const PAIRS = `
  public private, enable disable, enabled disabled, allow deny, allow forbid, allow block, permit prohibit, include exclude,
  accept reject, accept refuse, approve decline, add remove, add delete, create delete, insert delete, show hide,
  visible hidden, open close, open closed, start stop, begin end, first last, before after, previous next, above below,
  over under, up down, left right, top bottom, front back, in out, on off, online offline, internal external,
  inside outside, input output, import export, upload download, push pull, send receive, read write, encrypt decrypt,
  lock unlock, grant revoke, login logout, increase decrease, maximum minimum, max min, more less, most least, many few,
  long short, large small, big small, high low, fast slow, early late, new old, newer older, newest oldest, full empty,
  true false, yes no, success failure, succeed fail, valid invalid, active inactive, required optional,
  mandatory optional, manual automatic, manually automatically, temporary permanent, global local, static dynamic,
  synchronous asynchronous, horizontal vertical, ascending descending, positive negative, sender recipient,
  source target, parent child, client server, expand collapse, attach detach, connect disconnect, install uninstall,
  subscribe unsubscribe, archive restore, keep delete, keep discard, free paid, always never, all none, with without,
  same different, light dark, horizontal vertical, inner outer, upper lower, single multiple, read-only editable,
  öffentlich privat, aktivieren deaktivieren, einschalten ausschalten, erlauben verbieten, hinzufügen entfernen,
  anlegen löschen, erstellen löschen, anzeigen ausblenden, sichtbar verborgen, öffnen schließen, offen geschlossen,
  vor nach, vorher nachher, oben unten, über unter, links rechts, intern extern, importieren exportieren,
  hochladen herunterladen, senden empfangen, lesen schreiben, sperren entsperren, anmelden abmelden, maximal minimal,
  mehr weniger, lang kurz, groß klein, hoch niedrig, schnell langsam, neu alt, voll leer, wahr falsch, gültig ungültig,
  manuell automatisch, vorübergehend dauerhaft, kostenlos kostenpflichtig, mit ohne, erste letzte, hell dunkel`

const opposites = new Map<string, Set<string>>()
const add = (one: string, other: string): void => {
  opposites.set(one, (opposites.get(one) ?? new Set()).add(other))
}
for (const pair of PAIRS.split(',')) {
  const [one, other] = pair.trim().split(/\s+/)
  if (one === undefined || other === undefined) continue
  add(one, other)
  add(other, one)
}

const PREFIX = /^(?:un|in|im|ir|dis|non|de|mis)(?=\p{L}{4})/u

/** The words that deny a word; they need not be words of the language. */
export function oppositesOf(word: string): string[] {
  const bare = word.replace(PREFIX, '')
  const prefixed = ['un', 'in', 'dis', 'non', 'de'].map(prefix => `${prefix}${word}`)
  return [...(opposites.get(word) ?? []), ...(bare === word ? prefixed : [bare])]
}
