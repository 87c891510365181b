// The texts of one language by key, in the notation of i18next, which translators have tools for: `{{name}}` is a value, and
// a text with a count is there once for each plural of the language.

export type Values = Readonly<Record<string, string | number | undefined>>

export class Texts {
  readonly #plurals: Intl.PluralRules
  readonly #byKey = new Map<string, string>()

  constructor(language: string) {
    this.#plurals = new Intl.PluralRules(language)
  }

  /** `tree` has texts, and trees of them. */
  add(tree: object, prefix = ''): void {
    for (const [name, value] of Object.entries(tree))
      if (typeof value === 'string') this.#byKey.set(prefix + name, value)
      else this.add(value, `${prefix}${name}.`)
  }

  /** Undefined for what the language lacks. Values are shown as they are: nothing in them is replaced. */
  find(key: string, values: Values = {}): string | undefined {
    const { count } = values
    const plural =
      typeof count === 'number' ? this.#byKey.get(`${key}_${this.#plurals.select(count)}`) : undefined
    const text = plural ?? this.#byKey.get(key)
    return text?.replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name] ?? ''))
  }
}
